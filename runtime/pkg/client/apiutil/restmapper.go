package apiutil

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// NewDynamicRESTMapper returns a mapper that asks the API server about a group when it is first needed, and once more when
// a kind of it is not known: kinds that are installed while the program runs are found without a restart. Making it
// asks nothing. A version that the server cannot tell about does not hide the group's other versions; where the kind may
// be in it, the error is an [ErrResourceDiscoveryFailed] instead of a "no match".
//
// The mapper may be used by many goroutines, and is a [meta.ResettableRESTMapper].
func NewDynamicRESTMapper(cfg *rest.Config, httpClient *http.Client) (meta.RESTMapper, error) {
	if httpClient == nil {
		return nil, fmt.Errorf("REST mapper: no HTTP client given; make one with rest.HTTPClientFor")
	}
	dc, err := discovery.NewDiscoveryClientForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("REST mapper: %w", err)
	}
	m := &learningMapper{server: server{dc}}
	m.Reset()
	return m, nil
}

// learningMapper answers from an immutable picture of what it has learned so far, and learns when the picture has no
// answer. Readers never wait for each other; those who learn do, and look again before they ask the server.
type learningMapper struct {
	server  server
	picture atomic.Pointer[picture]
	// learning is held while the server is asked.
	learning sync.Mutex
}

// picture is what the mapper knows at one moment.
type picture struct {
	meta.RESTMapper
	groups map[string]*apiGroup
	// everything is set once all groups have been asked for.
	everything bool
}

func newPicture(groups map[string]*apiGroup, everything bool) *picture {
	var resources []*restmapper.APIGroupResources
	for _, g := range groups {
		resources = append(resources, g.resources())
	}
	// The order decides between groups that have the same resource; the core group comes first.
	slices.SortFunc(resources, func(a, b *restmapper.APIGroupResources) int {
		return compareGroups(a.Group.Name, b.Group.Name)
	})
	return &picture{RESTMapper: restmapper.NewDiscoveryRESTMapper(resources), groups: groups, everything: everything}
}

// knows reports whether the picture has all that a question about the versions of a group needs.
func (p *picture) knows(group string, versions []string) bool {
	g := p.groups[group]
	return g != nil && g.knows(versions)
}

// Reset forgets all that the mapper has learned.
func (m *learningMapper) Reset() {
	m.picture.Store(newPicture(map[string]*apiGroup{}, false))
}

// ask answers a question about a group, or about all of them when none is named.
func ask[T any](m *learningMapper, group *string, versions []string, question func(meta.RESTMapper) (T, error)) (T, error) {
	versions = slices.DeleteFunc(slices.Clone(versions), func(v string) bool { return v == "" })
	before := m.picture.Load()
	if known := group == nil && before.everything || group != nil && before.knows(*group, versions); known {
		if answer, err := question(before); !meta.IsNoMatchError(err) {
			return answer, err
		}
	}
	after, failed := m.learn(before, group, versions)
	answer, err := question(after)
	if meta.IsNoMatchError(err) && len(failed) > 0 {
		return answer, &failed
	}
	return answer, err
}

// learn returns a picture that is newer than before. Failures are of the group that was asked for.
func (m *learningMapper) learn(before *picture, group *string, versions []string) (*picture, ErrResourceDiscoveryFailed) {
	m.learning.Lock()
	defer m.learning.Unlock()
	now := m.picture.Load()
	if now != before {
		// Someone has learned meanwhile; that may do.
		if group == nil && now.everything || group != nil && now.knows(*group, versions) && now.groups[*group] != before.groups[*group] {
			return now, nil
		}
	}
	groups := map[string]*apiGroup{}
	for name, g := range now.groups {
		groups[name] = g
	}
	var failed ErrResourceDiscoveryFailed
	everything := now.everything
	if group == nil {
		var all map[string]*apiGroup
		all, failed = m.server.allGroups()
		for name, g := range all {
			groups[name] = g
		}
		everything = everything || len(failed) == 0
	} else {
		var g *apiGroup
		g, failed = m.server.group(*group, versions, groups[*group])
		if g == nil {
			delete(groups, *group)
		} else {
			groups[*group] = g
		}
	}
	next := newPicture(groups, everything)
	m.picture.Store(next)
	return next, failed
}

// groupOf is the group that a partial resource names, or nil when it names none: no group may mean the core group or
// any. A version is only ever given together with a group, the core group's aside.
func groupOf(resource schema.GroupVersionResource) *string {
	if resource.Group == "" && resource.Version == "" {
		return nil
	}
	return &resource.Group
}

// KindFor returns the kind of a resource, of which only some parts may be given.
func (m *learningMapper) KindFor(resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return ask(m, groupOf(resource), []string{resource.Version}, func(p meta.RESTMapper) (schema.GroupVersionKind, error) {
		return p.KindFor(resource)
	})
}

// KindsFor returns all kinds that a resource may be of, best first.
func (m *learningMapper) KindsFor(resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return ask(m, groupOf(resource), []string{resource.Version}, func(p meta.RESTMapper) ([]schema.GroupVersionKind, error) {
		return p.KindsFor(resource)
	})
}

// ResourceFor completes a resource of which only some parts are given.
func (m *learningMapper) ResourceFor(resource schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return ask(m, groupOf(resource), []string{resource.Version}, func(p meta.RESTMapper) (schema.GroupVersionResource, error) {
		return p.ResourceFor(resource)
	})
}

// ResourcesFor returns all resources that a partial one may mean, best first.
func (m *learningMapper) ResourcesFor(resource schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return ask(m, groupOf(resource), []string{resource.Version}, func(p meta.RESTMapper) ([]schema.GroupVersionResource, error) {
		return p.ResourcesFor(resource)
	})
}

// RESTMapping returns where a kind is served, in the first of the versions that is served, or in the version that the
// server prefers when none is given.
func (m *learningMapper) RESTMapping(gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return ask(m, &gk.Group, versions, func(p meta.RESTMapper) (*meta.RESTMapping, error) {
		return p.RESTMapping(gk, versions...)
	})
}

// RESTMappings returns where a kind is served in each of the versions, or in all that there are when none is given.
func (m *learningMapper) RESTMappings(gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return ask(m, &gk.Group, versions, func(p meta.RESTMapper) ([]*meta.RESTMapping, error) {
		return p.RESTMappings(gk, versions...)
	})
}

// ResourceSingularizer returns the singular of a resource's name.
func (m *learningMapper) ResourceSingularizer(resource string) (string, error) {
	return ask(m, nil, nil, func(p meta.RESTMapper) (string, error) { return p.ResourceSingularizer(resource) })
}
