package apiutil_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/client/apiutil"
)

func TestGVKForObject(t *testing.T) {
	deployments := appsv1.SchemeGroupVersion.WithKind("Deployment")
	u, m := &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{}
	u.SetGroupVersionKind(deployments)
	m.SetGroupVersionKind(deployments)
	for name, tt := range map[string]struct {
		obj  runtime.Object
		want schema.GroupVersionKind
		fail bool
	}{
		"typed":                         {obj: &appsv1.Deployment{}, want: deployments},
		"unstructured":                  {obj: u, want: deployments},
		"metadata only":                 {obj: m, want: deployments},
		"metadata only without a kind":  {obj: &metav1.PartialObjectMetadata{}, fail: true},
		"unstructured without a kind":   {obj: &unstructured.Unstructured{}, fail: true},
		"a type for several kinds":      {obj: &metav1.DeleteOptions{}, fail: true},
		"a type that is not registered": {obj: &runtime.Unknown{}, fail: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := apiutil.GVKForObject(tt.obj, clientgoscheme.Scheme)
			if (err != nil) != tt.fail || err == nil && got != tt.want {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

// discoveryServer serves discovery documents that a test changes. Faults in discovery cannot be asked of a real server.
type discoveryServer struct {
	mu       sync.Mutex
	versions []string       // of the group stable.example.com, best first
	broken   map[string]int // HTTP status by version
	asked    []string
}

func (d *discoveryServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, r.URL.Path)
	const group = "stable.example.com"
	version, ofVersion := strings.CutPrefix(r.URL.Path, "/apis/"+group+"/")
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/apis/"+group && len(d.versions) > 0:
		g := metav1.APIGroup{TypeMeta: metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}, Name: group}
		for _, v := range d.versions {
			g.Versions = append(g.Versions, metav1.GroupVersionForDiscovery{GroupVersion: group + "/" + v, Version: v})
		}
		g.PreferredVersion = g.Versions[0]
		_ = json.NewEncoder(w).Encode(g)
	case ofVersion && d.broken[version] != 0:
		w.WriteHeader(d.broken[version])
	case ofVersion && strings.Contains(strings.Join(d.versions, " "), version):
		_ = json.NewEncoder(w).Encode(metav1.APIResourceList{
			TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
			GroupVersion: group + "/" + version,
			APIResources: []metav1.APIResource{{Name: "crontabs", SingularName: "crontab", Kind: "CronTab", Namespaced: true}},
		})
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (d *discoveryServer) set(versions []string, broken map[string]int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.versions, d.broken, d.asked = versions, broken, nil
}

func newMapper(t *testing.T, d *discoveryServer) meta.RESTMapper {
	t.Helper()
	s := httptest.NewServer(d)
	t.Cleanup(s.Close)
	m, err := apiutil.NewDynamicRESTMapper(&rest.Config{Host: s.URL, QPS: -1}, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var cronTab = schema.GroupKind{Group: "stable.example.com", Kind: "CronTab"}

func TestTheMapperAsksOnlyWhatItMust(t *testing.T) {
	d := &discoveryServer{versions: []string{"v1", "v1beta1"}}
	m := newMapper(t, d)
	if len(d.asked) != 0 {
		t.Errorf("making it asked %v", d.asked)
	}
	for range 2 {
		mapping, err := m.RESTMapping(cronTab, "v1")
		if err != nil || mapping.Resource.Resource != "crontabs" || mapping.Scope.Name() != meta.RESTScopeNameNamespace {
			t.Fatalf("got %v, %v", mapping, err)
		}
	}
	want := []string{"/apis/stable.example.com", "/apis/stable.example.com/v1"}
	if diff := cmp.Diff(want, d.asked); diff != "" {
		t.Error(diff)
	}
}

func TestAKindAndAVersionInstalledLaterAreFound(t *testing.T) {
	d := &discoveryServer{}
	m := newMapper(t, d)
	if _, err := m.RESTMapping(cronTab, "v1"); !meta.IsNoMatchError(err) {
		t.Fatalf("an absent group: %v", err)
	}
	for _, versions := range [][]string{{"v1"}, {"v2", "v1"}} {
		d.set(versions, nil)
		mapping, err := m.RESTMapping(cronTab, versions[0])
		if err != nil || mapping.Resource.Version != versions[0] {
			t.Fatalf("%s: %v, %v", versions[0], mapping, err)
		}
	}
	if mapping, err := m.RESTMapping(cronTab); err != nil || mapping.Resource.Version != "v2" {
		t.Errorf("the preferred version: %v, %v", mapping, err)
	}
	if kind, err := m.KindFor(schema.GroupVersionResource{Group: cronTab.Group, Resource: "crontab"}); err != nil || kind.Kind != "CronTab" {
		t.Errorf("kind of a resource: %v, %v", kind, err)
	}
}

func TestABrokenVersionDoesNotHideTheOthers(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusServiceUnavailable} {
		d := &discoveryServer{versions: []string{"v2", "v1"}, broken: map[string]int{"v2": status}}
		m := newMapper(t, d)
		if mapping, err := m.RESTMapping(cronTab); err != nil || mapping.Resource.Version != "v1" {
			t.Errorf("%d: %v, %v", status, mapping, err)
		}
		_, err := m.RESTMapping(cronTab, "v2")
		failed := &apiutil.ErrResourceDiscoveryFailed{}
		if isFailure := errors.As(err, &failed); isFailure != (status != http.StatusNotFound) || !isFailure && !meta.IsNoMatchError(err) {
			t.Errorf("%d: %v", status, err)
		}
		d.set([]string{"v2", "v1"}, nil)
		if _, err := m.RESTMapping(cronTab, "v2"); err != nil {
			t.Errorf("%d, after the repair: %v", status, err)
		}
	}
}
