/*
Copyright 2026 keon.
*/

// Package v1alpha1 contains API Schema definitions for the apps v1alpha1 API group.
// +kubebuilder:object:generate=true
// +groupName=apps.keon.io
package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var GroupVersion = schema.GroupVersion{Group: "apps.keon.io", Version: "v1alpha1"}
