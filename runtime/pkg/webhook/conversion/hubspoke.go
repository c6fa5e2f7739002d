package conversion

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubewright.dev/runtime/pkg/client"
	"kubewright.dev/runtime/pkg/conversion"
)

// SpokeConverter converts one version of a kind to the hub and from it. It lets types be converted that have no
// methods for it, as those of another module.
type SpokeConverter[hubObject runtime.Object] interface {
	// GetSpoke returns an object of the version, to tell which one it is.
	GetSpoke() runtime.Object
	// ConvertHubToSpoke writes the hub into the spoke.
	ConvertHubToSpoke(ctx context.Context, hub hubObject, spoke runtime.Object) error
	// ConvertSpokeToHub writes the spoke into the hub.
	ConvertSpokeToHub(ctx context.Context, spoke runtime.Object, hub hubObject) error
}

// NewSpokeConverter makes a SpokeConverter of two functions. The spoke only names the type.
func NewSpokeConverter[hubObject, spokeObject client.Object](
	spoke spokeObject,
	convertHubToSpokeFunc func(ctx context.Context, src hubObject, dst spokeObject) error,
	convertSpokeToHubFunc func(ctx context.Context, src spokeObject, dst hubObject) error,
) SpokeConverter[hubObject] {
	return spokeFuncs[hubObject, spokeObject]{spoke: spoke, fromHub: convertHubToSpokeFunc, toHub: convertSpokeToHubFunc}
}

type spokeFuncs[H, S client.Object] struct {
	spoke   S
	fromHub func(context.Context, H, S) error
	toHub   func(context.Context, S, H) error
}

func (f spokeFuncs[H, S]) GetSpoke() runtime.Object { return f.spoke }

func (f spokeFuncs[H, S]) ConvertHubToSpoke(ctx context.Context, hub H, spoke runtime.Object) error {
	typed, ok := spoke.(S)
	if !ok {
		return fmt.Errorf("the spoke is a %T, not a %T", spoke, f.spoke)
	}
	return f.fromHub(ctx, hub, typed)
}

func (f spokeFuncs[H, S]) ConvertSpokeToHub(ctx context.Context, spoke runtime.Object, hub H) error {
	typed, ok := spoke.(S)
	if !ok {
		return fmt.Errorf("the spoke is a %T, not a %T", spoke, f.spoke)
	}
	return f.toHub(ctx, typed, hub)
}

// NewHubSpokeConverter returns a constructor of a Converter that goes by way of the hub, as
// builder.WebhookBuilder.WithConverter takes it. The constructor fails unless there is one SpokeConverter for each
// version of the kind in the scheme, the hub's own one aside.
func NewHubSpokeConverter[hubObject runtime.Object](hub hubObject, spokeConverter ...SpokeConverter[hubObject]) func(scheme *runtime.Scheme) (Converter, error) {
	return func(scheme *runtime.Scheme) (Converter, error) {
		hubGVK, err := soleKind(scheme, hub)
		if err != nil {
			return nil, fmt.Errorf("converter of hub %T: %w", hub, err)
		}
		fail := func(err error) (Converter, error) {
			return nil, fmt.Errorf("converter of %s: %w", hubGVK.GroupKind(), err)
		}
		c := &hubSpoke[hubObject]{scheme: scheme, hub: hub, hubGVK: hubGVK, spokes: map[schema.GroupVersionKind]SpokeConverter[hubObject]{}}
		for _, sc := range spokeConverter {
			gvk, err := soleKind(scheme, sc.GetSpoke())
			switch {
			case err != nil:
				return fail(err)
			case gvk.GroupKind() != hubGVK.GroupKind():
				return fail(fmt.Errorf("a spoke converter is for another kind, %s", gvk.GroupKind()))
			case c.spokes[gvk] != nil:
				return fail(fmt.Errorf("two spoke converters for version %s", gvk.Version))
			}
			c.spokes[gvk] = sc
		}
		if err := c.checkComplete(); err != nil {
			return fail(err)
		}
		return c, nil
	}
}

type hubSpoke[H runtime.Object] struct {
	scheme *runtime.Scheme
	hub    H
	hubGVK schema.GroupVersionKind
	spokes map[schema.GroupVersionKind]SpokeConverter[H]
}

func (c *hubSpoke[H]) checkComplete() error {
	known, err := kindVersions(c.scheme, c.hub)
	if err != nil {
		return err
	}
	var without []string
	for _, gvk := range known {
		if gvk != c.hubGVK && c.spokes[gvk] == nil {
			without = append(without, gvk.Version)
		}
	}
	if len(without) > 0 {
		slices.Sort(without)
		return fmt.Errorf("no spoke converter for version %s", strings.Join(without, ", "))
	}
	if c.spokes[c.hubGVK] != nil {
		return fmt.Errorf("version %s is the hub and needs no spoke converter", c.hubGVK.Version)
	}
	return nil
}

// ConvertObject converts by way of the hub unless one of the two is the hub.
func (c *hubSpoke[H]) ConvertObject(ctx context.Context, src, dst runtime.Object) error {
	if hub, ok := src.(H); ok {
		return c.fromHub(ctx, hub, dst)
	}
	if hub, ok := dst.(H); ok {
		return c.toHub(ctx, src, hub)
	}
	between, err := newLike(c.hub)
	if err != nil {
		return err
	}
	if err := c.toHub(ctx, src, between); err != nil {
		return err
	}
	return c.fromHub(ctx, between, dst)
}

func (c *hubSpoke[H]) toHub(ctx context.Context, spoke runtime.Object, hub H) error {
	converter, gvk, err := c.spoke(spoke)
	if err != nil {
		return err
	}
	if err := converter.ConvertSpokeToHub(ctx, spoke, hub); err != nil {
		return fmt.Errorf("convert %s to its hub %s: %w", gvk, c.hubGVK.Version, err)
	}
	return nil
}

func (c *hubSpoke[H]) fromHub(ctx context.Context, hub H, spoke runtime.Object) error {
	converter, gvk, err := c.spoke(spoke)
	if err != nil {
		return err
	}
	if err := converter.ConvertHubToSpoke(ctx, hub, spoke); err != nil {
		return fmt.Errorf("convert hub %s to %s: %w", c.hubGVK.Version, gvk, err)
	}
	return nil
}

func (c *hubSpoke[H]) spoke(obj runtime.Object) (SpokeConverter[H], schema.GroupVersionKind, error) {
	gvk, err := soleKind(c.scheme, obj)
	if err != nil {
		return nil, gvk, err
	}
	converter := c.spokes[gvk]
	if converter == nil {
		return nil, gvk, fmt.Errorf("no spoke converter for %s", gvk)
	}
	return converter, gvk, nil
}

func soleKind(scheme *runtime.Scheme, obj runtime.Object) (schema.GroupVersionKind, error) {
	gvks, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	if len(gvks) != 1 {
		return schema.GroupVersionKind{}, fmt.Errorf("%T is registered as %d kinds: register a Go type once", obj, len(gvks))
	}
	return gvks[0], nil
}

// byMethods converts objects whose types have methods for it.
type byMethods struct {
	scheme *runtime.Scheme
}

func (c byMethods) ConvertObject(_ context.Context, src, dst runtime.Object) error {
	srcHub, fromHub := src.(conversion.Hub)
	dstHub, toHub := dst.(conversion.Hub)
	srcSpoke, srcConverts := src.(conversion.Convertible)
	dstSpoke, dstConverts := dst.(conversion.Convertible)
	switch {
	case fromHub && dstConverts:
		return dstSpoke.ConvertFrom(srcHub)
	case toHub && srcConverts:
		return srcSpoke.ConvertTo(dstHub)
	case srcConverts && dstConverts:
		hub, err := c.newHub(src)
		if err != nil {
			return err
		}
		if err := srcSpoke.ConvertTo(hub); err != nil {
			return err
		}
		return dstSpoke.ConvertFrom(hub)
	}
	return fmt.Errorf("%T does not convert to %T: one version needs a method Hub(), all others ConvertTo and ConvertFrom", src, dst)
}

// newHub makes an empty object of the hub version of the object's kind.
func (c byMethods) newHub(obj runtime.Object) (conversion.Hub, error) {
	gvks, err := kindVersions(c.scheme, obj)
	if err != nil {
		return nil, err
	}
	found := PartialImplementationError{gvk: gvks[0], spokes: gvks}
	var hub conversion.Hub
	for _, gvk := range gvks {
		instance, err := c.scheme.New(gvk)
		if err != nil {
			return nil, fmt.Errorf("make a %s: %w", gvk, err)
		}
		if h, ok := instance.(conversion.Hub); ok {
			hub = h
			found.hubs = append(found.hubs, gvk)
		}
	}
	if len(found.hubs) != 1 {
		return nil, found
	}
	return hub, nil
}
