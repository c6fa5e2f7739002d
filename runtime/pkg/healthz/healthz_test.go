package healthz_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kubewright.dev/runtime/pkg/healthz"
)

func TestAHandlerAnswersForAllChecksOrOne(t *testing.T) {
	sick := func(*http.Request) error { return errors.New("secret cause") }
	mixed := map[string]healthz.Checker{"good": healthz.Ping, "bad": sick}
	for _, tc := range []struct {
		name   string
		checks map[string]healthz.Checker
		path   string
		status int
		has    string
		lacks  string
	}{
		{name: "no checks", path: "/", status: 200, has: "ok"},
		{name: "the ping that is there without checks", path: "/ping", status: 200, has: "ok"},
		{name: "one of two is sick", checks: mixed, path: "/", status: 500, has: "[-]bad failed", lacks: "secret cause"},
		{name: "the good one alone", checks: mixed, path: "/good", status: 200, has: "ok"},
		{name: "the sick one alone", checks: mixed, path: "/bad", status: 500, has: "secret cause"},
		{name: "a check that is not there", checks: mixed, path: "/ugly", status: 404},
		{name: "the sick one excluded", checks: mixed, path: "/?exclude=bad", status: 200, has: "ok"},
		{name: "the sick one excluded in so many words", checks: mixed, path: "/?exclude=bad&verbose", status: 200, has: "[+]bad excluded"},
		{name: "an exclusion of nothing", checks: mixed, path: "/?exclude=bad,ugly&verbose", status: 200, has: `"ugly"`},
		{name: "the path without its slash", checks: mixed, path: "", status: 500},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := httptest.NewRequest(http.MethodGet, "/x"+tc.path, nil)
			resp := httptest.NewRecorder()
			http.StripPrefix("/x", &healthz.Handler{Checks: tc.checks}).ServeHTTP(resp, req)
			body := resp.Body.String()
			if resp.Code != tc.status {
				t.Errorf("status %d, want %d: %s", resp.Code, tc.status, body)
			}
			if !strings.Contains(body, tc.has) {
				t.Errorf("no %q in %q", tc.has, body)
			}
			if tc.lacks != "" && strings.Contains(body, tc.lacks) {
				t.Errorf("%q in %q", tc.lacks, body)
			}
		})
	}
}
