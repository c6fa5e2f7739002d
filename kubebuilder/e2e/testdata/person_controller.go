package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "kubewright.dev/runtime"
	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/controller/controllerutil"
	logf "kubewright.dev/runtime/pkg/log"

	appsv1alpha1 "keon.io/operator-example/api/v1alpha1"
)

const cleanUp = "apps.keon.io/clean-up"

// PersonReconciler keeps a ConfigMap with a greeting for each Person.
type PersonReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=apps.keon.io,resources=people,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps.keon.io,resources=people/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps.keon.io,resources=people/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update;patch;delete

// Reconcile greets a person.
func (r *PersonReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log := logf.FromContext(ctx)
	var person appsv1alpha1.Person
	if err := r.Get(ctx, req.NamespacedName, &person); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !person.DeletionTimestamp.IsZero() {
		log.Info("say goodbye to " + person.Spec.FirstName)
		before := person.DeepCopy()
		if controllerutil.RemoveFinalizer(&person, cleanUp) {
			return ctrl.Result{}, r.Patch(ctx, &person, client.MergeFrom(before))
		}
		return ctrl.Result{}, nil
	}
	log.Info("fetch New Object: " + person.Spec.FirstName + " " + person.Spec.SecondName)
	before := person.DeepCopy()
	if controllerutil.AddFinalizer(&person, cleanUp) {
		if err := r.Patch(ctx, &person, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	greeting := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: person.Namespace, Name: person.Name + "-greeting"}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, greeting, func() error {
		greeting.Data = map[string]string{"text": "Hello " + person.Spec.FirstName + " " + person.Spec.SecondName}
		return controllerutil.SetControllerReference(&person, greeting, r.Scheme)
	})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *PersonReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1alpha1.Person{}).
		Owns(&corev1.ConfigMap{}).
		Named("person").
		Complete(r)
}
