package client

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// read decodes the server's answer into obj. Decoders leave alone what an answer does not mention, so an answer is decoded
// into a fresh value: what obj had before never shows through, be it a field that the server has dropped or an item of a
// longer list.
func read(answer rest.Result, obj runtime.Object) error {
	v := reflect.ValueOf(obj)
	_, unstructured := obj.(runtime.Unstructured)
	if unstructured || v.Kind() != reflect.Pointer || v.IsNil() {
		// Unstructured values are replaced as a whole by their decoder.
		return answer.Into(obj)
	}
	fresh := reflect.New(v.Type().Elem())
	if err := answer.Into(fresh.Interface().(runtime.Object)); err != nil {
		return err
	}
	// Some requests, as the eviction of a pod, are answered by a status and no object.
	if !fresh.Elem().IsZero() {
		v.Elem().Set(fresh.Elem())
	}
	return nil
}
