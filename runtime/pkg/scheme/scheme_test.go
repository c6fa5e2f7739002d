package scheme_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/scheme"
)

func TestBuildersRegisterTheirTypesAndThoseOfOthers(t *testing.T) {
	gv := schema.GroupVersion{Group: "apps.example.com", Version: "v1"}
	other := &scheme.Builder{GroupVersion: corev1.SchemeGroupVersion}
	other.Register(&corev1.Pod{}, &corev1.PodList{})
	s, err := (&scheme.Builder{GroupVersion: gv}).Register(&corev1.ConfigMap{}).RegisterAll(other).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, gvk := range []schema.GroupVersionKind{
		gv.WithKind("ConfigMap"), gv.WithKind("ListOptions"), corev1.SchemeGroupVersion.WithKind("PodList"),
	} {
		if !s.Recognizes(gvk) {
			t.Errorf("%s is not registered", gvk)
		}
	}
	if kinds, _, err := s.ObjectKinds(&metav1.Status{}); err != nil || len(kinds) == 0 {
		t.Errorf("answers with a status cannot be decoded: %v", err)
	}
}
