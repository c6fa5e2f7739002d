// Package controllerruntime is the short way to write a Kubernetes operator: the
// names that operators use most, from the packages under pkg. It is imported as
// ctrl:
//
//	import ctrl "kubewright.dev/runtime"
//
//	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme})
//	…
//	err = ctrl.NewControllerManagedBy(mgr).
//		For(&appsv1alpha1.Person{}).
//		Complete(&PersonReconciler{Client: mgr.GetClient()})
//	…
//	err = mgr.Start(ctrl.SetupSignalHandler())
//
// A [Manager] owns what controllers share and runs them. A controller calls its
// reconciler with a [Request], the key of an object, whenever the object or
// something that belongs to it may have changed; the reconciler compares what is
// with what should be, acts, and answers with a [Result].
package controllerruntime

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/builder"
	"kubewright.dev/runtime/pkg/client/config"
	"kubewright.dev/runtime/pkg/controller/controllerutil"
	"kubewright.dev/runtime/pkg/log"
	"kubewright.dev/runtime/pkg/manager"
	"kubewright.dev/runtime/pkg/manager/signals"
	"kubewright.dev/runtime/pkg/reconcile"
	"kubewright.dev/runtime/pkg/scheme"
)

type (
	// Builder builds a controller.
	Builder = builder.Builder

	// Request is what a reconciler is called with: the key of an object.
	Request = reconcile.Request

	// Result is what a reconciler answers: whether and when to call it again.
	Result = reconcile.Result

	// Manager owns what controllers share, and runs them.
	Manager = manager.Manager

	// Options say how a manager is made.
	Options = manager.Options

	// SchemeBuilder collects the types of a group and version for a scheme.
	SchemeBuilder = scheme.Builder

	// GroupVersion names an API group and its version.
	GroupVersion = schema.GroupVersion

	// GroupResource names a resource of an API group, whatever its version.
	GroupResource = schema.GroupResource

	// TypeMeta is the part of each object that says its kind and version.
	TypeMeta = metav1.TypeMeta

	// ObjectMeta is the part of each object that says its name, labels, owners.
	ObjectMeta = metav1.ObjectMeta
)

var (
	// RegisterFlags registers the --kubeconfig flag. Package config registers it
	// with flag.CommandLine already.
	RegisterFlags = config.RegisterFlags

	// GetConfig finds the configuration for the API server: --kubeconfig,
	// $KUBECONFIG, the pod's own, or ~/.kube/config.
	GetConfig = config.GetConfig

	// GetConfigOrDie is GetConfig, and ends the process if there is none.
	GetConfigOrDie = config.GetConfigOrDie

	// NewControllerManagedBy starts to build a controller that the manager runs.
	NewControllerManagedBy = builder.ControllerManagedBy

	// NewManager makes a manager.
	NewManager = manager.New

	// CreateOrUpdate makes an object so, whether it exists or not.
	CreateOrUpdate = controllerutil.CreateOrUpdate

	// CreateOrPatch is CreateOrUpdate with a patch.
	CreateOrPatch = controllerutil.CreateOrPatch

	// SetControllerReference makes one object the owner of another, and its
	// controller.
	SetControllerReference = controllerutil.SetControllerReference

	// SetupSignalHandler returns a context that ends when the process is asked
	// to end. Call it once.
	SetupSignalHandler = signals.SetupSignalHandler

	// Log is the root logger.
	Log = log.Log

	// LoggerFrom returns the logger that the context carries.
	LoggerFrom = log.FromContext

	// LoggerInto returns a context that carries the logger.
	LoggerInto = log.IntoContext

	// SetLogger sets the logger that everything is written to.
	SetLogger = log.SetLogger
)

// NewWebhookManagedBy starts to build the webhooks of a type, which the
// manager's webhook server serves.
func NewWebhookManagedBy[T runtime.Object](mgr manager.Manager, obj T) *builder.WebhookBuilder[T] {
	return builder.WebhookManagedBy(mgr, obj)
}
