package cache

import (
	"k8s.io/apimachinery/pkg/api/meta"
	toolscache "k8s.io/client-go/tools/cache"
)

// TransformStripManagedFields returns a transform that drops managed fields. The cache does so by itself where no
// transform is given; name it in a transform of your own that should do the same.
func TransformStripManagedFields() toolscache.TransformFunc {
	return func(in any) (any, error) {
		// What has no metadata, as the marker of a deleted object, has nothing to strip.
		if obj, err := meta.Accessor(in); err == nil && obj.GetManagedFields() != nil {
			obj.SetManagedFields(nil)
		}
		return in, nil
	}
}
