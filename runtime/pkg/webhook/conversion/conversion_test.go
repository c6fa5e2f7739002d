package conversion_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	hubs "kubewright.dev/runtime/pkg/conversion"
	"kubewright.dev/runtime/pkg/webhook/conversion"
)

// person is the kind Person in a version of its own Go type: v1 is the hub, v2 and v3 are spokes.
type person struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Name              string `json:"name"`
}

type (
	v1 struct{ person }
	v2 struct{ person }
	v3 struct{ person }
)

func (p *v1) DeepCopyObject() runtime.Object { c := *p; return &c }
func (p *v2) DeepCopyObject() runtime.Object { c := *p; return &c }
func (p *v3) DeepCopyObject() runtime.Object { c := *p; return &c }

func (p *v1) Hub() {}

func (p *v2) ConvertTo(hub hubs.Hub) error {
	if p.Name == "panic" {
		panic("no such person")
	}
	hub.(*v1).Name, hub.(*v1).ObjectMeta = p.Name, p.ObjectMeta
	return nil
}

func (p *v2) ConvertFrom(hub hubs.Hub) error {
	p.Name, p.ObjectMeta = hub.(*v1).Name, hub.(*v1).ObjectMeta
	return nil
}

func (p *v3) ConvertTo(hub hubs.Hub) error {
	hub.(*v1).Name, hub.(*v1).ObjectMeta = strings.ToLower(p.Name), p.ObjectMeta
	return nil
}

func (p *v3) ConvertFrom(hub hubs.Hub) error {
	p.Name, p.ObjectMeta = strings.ToUpper(hub.(*v1).Name), hub.(*v1).ObjectMeta
	return nil
}

func people(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for version, obj := range map[string]runtime.Object{"v1": &v1{}, "v2": &v2{}, "v3": &v3{}} {
		s.AddKnownTypeWithName(schema.GroupVersionKind{Group: "keon.io", Version: version, Kind: "Person"}, obj)
	}
	return s
}

func ask(t *testing.T, handler http.Handler, desired string, objects ...string) *apiextensionsv1.ConversionResponse {
	t.Helper()
	req := &apiextensionsv1.ConversionRequest{UID: "one", DesiredAPIVersion: "keon.io/" + desired}
	for _, o := range objects {
		req.Objects = append(req.Objects, runtime.RawExtension{Raw: []byte(o)})
	}
	body, err := json.Marshal(&apiextensionsv1.ConversionReview{Request: req})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(body)))
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(w.Body.Bytes(), &review); err != nil {
		t.Fatalf("HTTP %d, %s: %v", w.Code, w.Body, err)
	}
	if w.Code != http.StatusOK || review.Response.UID != "one" {
		t.Fatalf("HTTP %d, %s", w.Code, w.Body)
	}
	return review.Response
}

func body(version, name string) string {
	return `{"apiVersion":"keon.io/` + version + `","kind":"Person","metadata":{"name":"a"},"name":"` + name + `"}`
}

func TestObjectsAreConvertedByWayOfTheHub(t *testing.T) {
	handler := conversion.NewWebhookHandler(people(t), conversion.NewRegistry())
	for name, test := range map[string]struct{ from, to, in, out string }{
		"hub to spoke":   {"v1", "v3", "keon", "KEON"},
		"spoke to hub":   {"v3", "v1", "KEON", "keon"},
		"spoke to spoke": {"v2", "v3", "keon", "KEON"},
	} {
		resp := ask(t, handler, test.to, body(test.from, test.in))
		if resp.Result.Status != metav1.StatusSuccess || len(resp.ConvertedObjects) != 1 {
			t.Errorf("%s: %+v", name, resp)
			continue
		}
		var got person
		if err := json.Unmarshal(resp.ConvertedObjects[0].Raw, &got); err != nil {
			t.Fatal(err)
		}
		if got.Name != test.out || got.APIVersion != "keon.io/"+test.to || got.Kind != "Person" || got.ObjectMeta.Name != "a" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestAPanicFailsTheRequestAndTheNextOneWorks(t *testing.T) {
	handler := conversion.NewWebhookHandler(people(t), nil)
	resp := ask(t, handler, "v1", body("v2", "panic"))
	if resp.Result.Status != metav1.StatusFailure || !strings.Contains(resp.Result.Message, "no such person") || len(resp.ConvertedObjects) != 0 {
		t.Errorf("got %+v", resp)
	}
	if resp := ask(t, handler, "v1", body("v2", "keon")); resp.Result.Status != metav1.StatusSuccess {
		t.Errorf("the next request: %+v", resp)
	}
}

func TestARequestFailsAsAWhole(t *testing.T) {
	handler := conversion.NewWebhookHandler(people(t), nil)
	for name, bad := range map[string]string{
		"same version": body("v1", "a"),
		"other kind":   strings.Replace(body("v2", "a"), "Person", "Robot", 1),
		"no JSON":      `"x"`,
	} {
		resp := ask(t, handler, "v1", body("v2", "fine"), bad)
		if resp.Result.Status != metav1.StatusFailure || len(resp.ConvertedObjects) != 0 || resp.Result.Message == "" {
			t.Errorf("%s: %+v", name, resp)
		}
	}
}

type plain struct{ person }

func (p *plain) DeepCopyObject() runtime.Object { c := *p; return &c }

func TestAKindIsConvertibleWithOneHubAndOnlySpokesBesides(t *testing.T) {
	s := people(t)
	if ok, err := conversion.IsConvertible(s, &v2{}); err != nil || !ok {
		t.Errorf("hub and spokes: %v, %v", ok, err)
	}
	s.AddKnownTypeWithName(schema.GroupVersionKind{Group: "keon.io", Version: "v4", Kind: "Person"}, &plain{})
	ok, err := conversion.IsConvertible(s, &v2{})
	if ok || err == nil || !strings.Contains(err.Error(), "v4") {
		t.Errorf("a version without methods: %v, %v; want an error that names it", ok, err)
	}
}
