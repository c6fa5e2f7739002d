// Package healthz answers liveness and readiness probes over HTTP.
//
// A [Checker] is one question about the health of the process. A [Handler]
// serves a set of them: the whole set under its root, and each one under its
// own name. The kubelet looks at the status code alone, people at the text.
package healthz

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	logf "kubewright.dev/runtime/pkg/log"
)

var log = logf.Log.WithName("healthz")

// Checker reports whether something is healthy: nil means that it is. It may
// look at the probe's request, and must end when the request's context does.
type Checker func(req *http.Request) error

// Ping is healthy whenever the process is able to answer at all.
var Ping Checker = func(*http.Request) error { return nil }

// Handler serves a set of checks by name.
//
// The root path runs them all and answers 200 if every one is healthy, 500
// otherwise. A path below it runs the check of that name, and is 404 if there
// is none. The query parameter exclude (any number of times) leaves checks out
// of the root's answer; verbose lists each check even when all is well. A
// handler without checks behaves as if it had Ping under the name "ping".
//
// The path is the one the handler sees: mount it with http.StripPrefix.
type Handler struct {
	// Checks are the questions by name. The map must not change once the
	// handler serves.
	Checks map[string]Checker
}

// ServeHTTP answers one probe.
func (h *Handler) ServeHTTP(resp http.ResponseWriter, req *http.Request) {
	checks := h.Checks
	if len(checks) == 0 {
		checks = map[string]Checker{"ping": Ping}
	}
	name := strings.Trim(req.URL.Path, "/")
	if name == "" {
		answerAll(resp, req, checks)
		return
	}
	check, known := checks[name]
	if !known {
		http.NotFound(resp, req)
		return
	}
	CheckHandler{Checker: check}.ServeHTTP(resp, req)
}

// CheckHandler serves a single check: 200 and "ok", or 500 and the error.
type CheckHandler struct {
	// Checker is the question to answer.
	Checker
}

// ServeHTTP answers one probe.
func (h CheckHandler) ServeHTTP(resp http.ResponseWriter, req *http.Request) {
	if err := h.Checker(req); err != nil {
		http.Error(resp, "internal server error: "+err.Error(), http.StatusInternalServerError)
		return
	}
	writeText(resp, http.StatusOK, "ok")
}

// answerAll runs every check that the request does not exclude.
func answerAll(resp http.ResponseWriter, req *http.Request, checks map[string]Checker) {
	excluded := excludedNames(req)
	var (
		report strings.Builder
		failed []string
	)
	for _, name := range slices.Sorted(maps.Keys(checks)) {
		if excluded[name] {
			delete(excluded, name)
			fmt.Fprintf(&report, "[+]%s excluded: ok\n", name)
			continue
		}
		if err := checks[name](req); err != nil {
			// The cause stays in the log: probes are often open to anybody.
			log.Info("health check failed", "path", req.URL.Path, "check", name, "error", err.Error())
			failed = append(failed, name)
			fmt.Fprintf(&report, "[-]%s failed: reason withheld\n", name)
			continue
		}
		fmt.Fprintf(&report, "[+]%s ok\n", name)
	}
	for _, name := range slices.Sorted(maps.Keys(excluded)) {
		fmt.Fprintf(&report, "warn: cannot exclude %q: there is no such check\n", name)
	}

	_, verbose := req.URL.Query()["verbose"]
	switch {
	case len(failed) > 0:
		report.WriteString("healthz check failed\n")
		writeText(resp, http.StatusInternalServerError, report.String())
	case verbose:
		report.WriteString("healthz check passed\n")
		writeText(resp, http.StatusOK, report.String())
	default:
		writeText(resp, http.StatusOK, "ok")
	}
}

// excludedNames reads the exclude parameters; one may hold several names
// parted by commas.
func excludedNames(req *http.Request) map[string]bool {
	names := map[string]bool{}
	for _, value := range req.URL.Query()["exclude"] {
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.TrimSpace(name); name != "" {
				names[name] = true
			}
		}
	}
	return names
}

func writeText(resp http.ResponseWriter, status int, text string) {
	resp.Header().Set("Content-Type", "text/plain; charset=utf-8")
	resp.Header().Set("X-Content-Type-Options", "nosniff")
	resp.WriteHeader(status)
	// A probe that hung up needs no answer.
	_, _ = resp.Write([]byte(text))
}
