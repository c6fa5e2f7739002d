package webhook

// +kubebuilder:webhook:path=/mutate-apps-keon-io-v1alpha1-person,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.keon.io,resources=people,verbs=create;update,versions=v1alpha1,name=mperson-v1alpha1.kb.io,admissionReviewVersions=v1

// Defaulter is.
type Defaulter struct{}

// +kubebuilder:webhook:path=/validate-apps-keon-io-v1alpha1-person,mutating=false,failurePolicy=ignore,sideEffects=NoneOnDryRun,groups=apps.keon.io;core,resources=people,verbs=create;update;*,versions=v1alpha1,name=vperson-v1alpha1.kb.io,admissionReviewVersions=v1;v1beta1,matchPolicy=exact,timeoutSeconds=5,serviceName=s,servicePort=9443

// Validator is.
type Validator struct{}
