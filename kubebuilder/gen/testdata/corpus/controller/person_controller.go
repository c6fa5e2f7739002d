package controller

import "context"

// PersonReconciler reconciles a Person object
type PersonReconciler struct{}

// +kubebuilder:rbac:groups=apps.keon.io,resources=people,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps.keon.io,resources=people/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps.keon.io,resources=people/finalizers,verbs=update

// Reconcile is part of the main kubernetes reconciliation loop.
func (r *PersonReconciler) Reconcile(ctx context.Context) error { return nil }

// +kubebuilder:rbac:groups=core,resources=pods;services,verbs=get;list
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=list;get
// +kubebuilder:rbac:groups=apps;batch,resources=deployments,verbs=*
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get
// +kubebuilder:rbac:groups=apps,resources=jobs,verbs=get
// +kubebuilder:rbac:urls=/metrics;/healthz,verbs=get
// +kubebuilder:rbac:groups="",resources=secrets,resourceNames=a;b,verbs=get
// +kubebuilder:rbac:groups="",namespace=b,resources=secrets,verbs=get
// +kubebuilder:rbac:groups="",namespace=a,resources=secrets,verbs=get
// +kubebuilder:rbac:groups="",namespace=a,roleName=other,resources=secrets,verbs={get,list}

// Reconcile has its marker in its documentation.
// +kubebuilder:rbac:groups=docs.example.com,resources=inside,verbs=get
func other() {}
