package filters_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubewright.dev/runtime/pkg/envtest"
	"kubewright.dev/runtime/pkg/metrics/filters"
	metricsserver "kubewright.dev/runtime/pkg/metrics/server"
)

var server *rest.Config

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	environment := &envtest.Environment{}
	var err error
	if server, err = environment.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := environment.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// tokenOf makes a service account and returns a token of it.
func tokenOf(t *testing.T, name string) string {
	t.Helper()
	ctx := context.Background()
	accounts := kubernetes.NewForConfigOrDie(server).CoreV1().ServiceAccounts("default")
	if _, err := accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token, err := accounts.CreateToken(ctx, name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return token.Status.Token
}

// letRead lets the service account get /metrics.
func letRead(t *testing.T, account string) {
	t.Helper()
	ctx := context.Background()
	rbac := kubernetes.NewForConfigOrDie(server).RbacV1()
	if _, err := rbac.ClusterRoles().Create(ctx, &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "metrics-reader"},
		Rules:      []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := rbac.ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "metrics-reader"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "default", Name: account}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyWhoMayReadMetricsGetsThem(t *testing.T) {
	reader, stranger := tokenOf(t, "reader"), tokenOf(t, "stranger")
	letRead(t, "reader")

	httpClient, err := rest.HTTPClientFor(server)
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := metricsserver.NewServer(metricsserver.Options{
		BindAddress:    "127.0.0.1:0",
		SecureServing:  true,
		FilterProvider: filters.WithAuthenticationAndAuthorization,
	}, server, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- metrics.Start(ctx) }()

	address := waitForAddress(t, metrics)
	scraper := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer scraper.CloseIdleConnections()
	for _, tc := range []struct {
		name, authorization, path, method string
		status                            int
	}{
		{name: "no token", path: "/metrics", status: 401},
		{name: "not a bearer token", authorization: "Basic cm9vdDpyb290", path: "/metrics", status: 401},
		{name: "a token of nobody", authorization: "Bearer nonsense", path: "/metrics", status: 401},
		{name: "a user without the right", authorization: "Bearer " + stranger, path: "/metrics", status: 403},
		{name: "a user with the right", authorization: "Bearer " + reader, path: "/metrics", status: 200},
		{name: "the same again", authorization: "bearer  " + reader, path: "/metrics", status: 200},
		{name: "another verb", authorization: "Bearer " + reader, path: "/metrics", method: http.MethodPost, status: 403},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req, err := http.NewRequest(tc.method, "https://"+address+tc.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tc.authorization != "" {
				req.Header.Set("Authorization", tc.authorization)
			}
			resp, err := scraper.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != tc.status {
				t.Errorf("status %d, want %d", resp.StatusCode, tc.status)
			}
		})
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// waitForAddress returns the address once the server is bound to it.
func waitForAddress(t *testing.T, s metricsserver.Server) string {
	t.Helper()
	bound, ok := s.(interface{ GetBindAddr() string })
	if !ok {
		t.Fatal("the server does not tell its address")
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		if address := bound.GetBindAddr(); address != "" {
			return address
		}
	}
	t.Fatal("the server is not bound")
	return ""
}

func TestAnAPIServerThatCannotBeAskedIsAnErrorOfTheServer(t *testing.T) {
	nowhere := &rest.Config{Host: "http://127.0.0.1:1"}
	httpClient, err := rest.HTTPClientFor(nowhere)
	if err != nil {
		t.Fatal(err)
	}
	filter, err := filters.WithAuthenticationAndAuthorization(nowhere, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	guarded, err := filter(logr.Discard(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("let through") }))
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	req.Header.Set("Authorization", "Bearer some")
	resp := httptest.NewRecorder()
	guarded.ServeHTTP(resp, req)
	if resp.Code != http.StatusInternalServerError {
		t.Errorf("status %d", resp.Code)
	}
}
