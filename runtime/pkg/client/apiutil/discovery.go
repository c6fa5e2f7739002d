package apiutil

import (
	"cmp"
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"
)

// apiGroup is what is known about a group: the versions that the server names, and the resources of those that it has
// been asked about. It is not changed once others can see it.
type apiGroup struct {
	metav1.APIGroup
	learned map[string][]metav1.APIResource
}

// knows reports whether the given versions have been asked about, or all of the group's when none is given.
func (g *apiGroup) knows(versions []string) bool {
	if len(versions) == 0 {
		versions = g.versionNames()
	}
	return !slices.ContainsFunc(versions, func(v string) bool { return g.learned[v] == nil })
}

func (g *apiGroup) versionNames() []string {
	var names []string
	for _, v := range g.Versions {
		names = append(names, v.Version)
	}
	return names
}

// resources is the group in the words of client-go's mapper.
func (g *apiGroup) resources() *restmapper.APIGroupResources {
	return &restmapper.APIGroupResources{Group: g.APIGroup, VersionedResources: g.learned}
}

// compareGroups orders groups by name, and so the core group, which has none, first.
func compareGroups(a, b string) int { return cmp.Compare(a, b) }

// server asks the API server what it serves. A group is asked for by its own address, as the document about all groups
// may be some time behind when a kind has just been installed.
type server struct {
	discovery *discovery.DiscoveryClient
}

// group asks about a group and the given versions of it, or about all of its versions when none is given. What is known
// of other versions is kept. It returns nil when the server does not serve the group.
func (s server) group(name string, versions []string, known *apiGroup) (*apiGroup, ErrResourceDiscoveryFailed) {
	described, err := s.describe(name)
	if err != nil {
		return known, ErrResourceDiscoveryFailed{{Group: name}: err}
	}
	g := &apiGroup{APIGroup: *described, learned: map[string][]metav1.APIResource{}}
	if known != nil {
		for version, resources := range known.learned {
			if slices.Contains(g.versionNames(), version) {
				g.learned[version] = resources
			}
		}
	}
	if len(versions) == 0 {
		versions = g.versionNames()
	}
	failed := ErrResourceDiscoveryFailed{}
	for _, version := range versions {
		gv := schema.GroupVersion{Group: name, Version: version}
		resources, err := s.resources(gv)
		switch {
		case apierrors.IsNotFound(err):
			// The group's description can name a version just removed.
			delete(g.learned, version)
		case err != nil:
			failed[gv] = err
		default:
			g.learn(gv, resources)
		}
	}
	if len(g.Versions) == 0 {
		return nil, failed
	}
	return g, failed
}

// learn adds the resources of a version.
func (g *apiGroup) learn(gv schema.GroupVersion, resources []metav1.APIResource) {
	if resources == nil {
		resources = []metav1.APIResource{}
	}
	g.learned[gv.Version] = resources
	if !slices.Contains(g.versionNames(), gv.Version) {
		// The group's description can be older than the version.
		g.Versions = append(slices.Clone(g.Versions), metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version})
	}
}

// describe returns the group with its versions, best first, and none when the server does not serve it.
func (s server) describe(name string) (*metav1.APIGroup, error) {
	ctx := context.Background() // A REST mapper's questions carry no context; the client has a timeout.
	if name == "" {
		var core metav1.APIVersions
		if err := s.discovery.RESTClient().Get().AbsPath("/api").Do(ctx).Into(&core); err != nil {
			return nil, err
		}
		g := &metav1.APIGroup{}
		for _, version := range core.Versions {
			g.Versions = append(g.Versions, metav1.GroupVersionForDiscovery{GroupVersion: version, Version: version})
		}
		if len(g.Versions) > 0 {
			g.PreferredVersion = g.Versions[0]
		}
		return g, nil
	}
	g := &metav1.APIGroup{}
	err := s.discovery.RESTClient().Get().AbsPath("/apis/" + name).Do(ctx).Into(g)
	if apierrors.IsNotFound(err) {
		return &metav1.APIGroup{Name: name}, nil
	}
	return g, err
}

func (s server) resources(gv schema.GroupVersion) ([]metav1.APIResource, error) {
	list, err := s.discovery.ServerResourcesForGroupVersion(gv.String())
	if err != nil {
		return nil, err
	}
	return list.APIResources, nil
}

// allGroups asks about everything. Servers that can tell it in one document do.
func (s server) allGroups() (map[string]*apiGroup, ErrResourceDiscoveryFailed) {
	described, lists, err := s.discovery.ServerGroupsAndResources()
	failed := ErrResourceDiscoveryFailed{}
	var partly *discovery.ErrGroupDiscoveryFailed
	switch {
	case errors.As(err, &partly):
		for gv, reason := range partly.Groups {
			failed[gv] = reason
		}
	case err != nil:
		return nil, ErrResourceDiscoveryFailed{{}: err}
	}
	groups := map[string]*apiGroup{}
	for _, g := range described {
		groups[g.Name] = &apiGroup{APIGroup: *g, learned: map[string][]metav1.APIResource{}}
	}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil || groups[gv.Group] == nil {
			continue
		}
		groups[gv.Group].learn(gv, list.APIResources)
	}
	return groups, failed
}
