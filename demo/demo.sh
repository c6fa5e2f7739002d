#!/usr/bin/env bash
# The main job, typed as a user would type it, in a folder of its own, each step checked. `make demo` runs it.
set -eu -o pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/kubewright-demo-XXXXXX")
name="demo-$$"
manager=""
steps=0
began=$SECONDS

stop_manager() {
  if [ -n "$manager" ]; then
    kill "$manager" 2>/dev/null || true
    wait "$manager" 2>/dev/null || true
    manager=""
  fi
}

clean_up() {
  status=$?
  stop_manager
  kubebuilder cluster down --name "$name" >/dev/null 2>&1 || true
  if [ "$status" -eq 0 ] && [ -n "$work" ]; then
    rm -rf -- "$work"
  elif [ "$status" -ne 0 ]; then
    printf '\nThe demo failed; its folder is kept: %s\n' "$work" >&2
  fi
  exit "$status"
}
trap clean_up EXIT

# show COMMAND... prints the command and runs it; its output is kept in $said.
show() {
  printf '\n$ %s\n' "$*"
  if ! "$@" >"$work/said" 2>&1; then
    cat "$work/said"
    echo "FAILED: $*" >&2
    return 1
  fi
  cat "$work/said"
}

ok() {
  steps=$((steps + 1))
  printf '  ok: %s\n' "$1"
}

# said TEXT WHAT checks that the last command printed TEXT.
said() {
  if ! grep -qF -- "$1" "$work/said"; then
    printf '  NOT ok: %s: nothing said "%s"\n' "$2" "$1" >&2
    return 1
  fi
  ok "$2"
}

# waits TEXT FILE WHAT waits up to 30 s for TEXT in FILE.
waits() {
  for _ in $(seq 300); do
    if grep -qF -- "$1" "$2"; then
      grep -F -- "$1" "$2" | tail -n 1
      ok "$3"
      return 0
    fi
    sleep 0.1
  done
  cat "$2"
  printf '  NOT ok: %s: "%s" did not appear within 30 s\n' "$3" "$1" >&2
  return 1
}

free_port() {
  for port in $(seq 18080 18180); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return 0
    fi
  done
  return 1
}

show kubebuilder cluster up --name "$name"
KUBECONFIG=$(sed -n 's/^ *export KUBECONFIG=["'"'"']\{0,1\}\([^"'"'"']*\)["'"'"']\{0,1\}$/\1/p' "$work/said" | head -n 1)
export KUBECONFIG
PATH="$(kubebuilder cluster assets):$PATH"
[ -s "$KUBECONFIG" ]
ok "a Kubernetes API server is up"

mkdir "$work/operator-example"
cd "$work/operator-example"
show kubebuilder init --domain keon.io --license apache2 --owner keon --repo keon.io/operator-example
show kubebuilder create api --group apps --version v1alpha1 --kind Person --resource --controller
[ -f api/v1alpha1/person_types.go ]
ok "a project with one kind"

printf '\n# edit: two fields in the spec, one line in the reconciler\n'
sed -i 's|^type PersonSpec struct {$|&\n\t// FirstName is what friends call the person.\n\tFirstName string `json:"firstname"`\n\t// SecondName is the name of the family.\n\tSecondName string `json:"secondname"`\n|' api/v1alpha1/person_types.go
cat >internal/controller/person_controller.go <<'GO'
package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "kubewright.dev/runtime"
	"kubewright.dev/runtime/pkg/client"
	logf "kubewright.dev/runtime/pkg/log"

	appsv1alpha1 "keon.io/operator-example/api/v1alpha1"
)

// PersonReconciler reconciles a Person.
type PersonReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=apps.keon.io,resources=people,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps.keon.io,resources=people/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps.keon.io,resources=people/finalizers,verbs=update

// Reconcile says whom it fetched.
func (r *PersonReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var person appsv1alpha1.Person
	if err := r.Get(ctx, req.NamespacedName, &person); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	logf.FromContext(ctx).Info("fetch New Object: " + person.Spec.FirstName + " " + person.Spec.SecondName)
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *PersonReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&appsv1alpha1.Person{}).Named("person").Complete(r)
}
GO
cat >config/samples/apps_v1alpha1_person.yaml <<'YAML'
apiVersion: apps.keon.io/v1alpha1
kind: Person
metadata:
  name: person-sample
spec:
  firstname: Keon
  secondname: Tang
YAML

show make generate manifests
grep -q 'secondname:' config/crd/bases/apps.keon.io_people.yaml
ok "deep-copy code, CRD and ClusterRole are generated"
show make install
said "customresourcedefinition.apiextensions.k8s.io/people.apps.keon.io created" "the CRD is installed"
show kubectl get crds
said "people.apps.keon.io" "kubectl lists it"

show make build
port=$(free_port)
arguments="--metrics-bind-address=127.0.0.1:$port --metrics-secure=false --health-probe-bind-address=127.0.0.1:0"
printf '\n$ make run ARGS="%s" &\n' "$arguments"
# bin/manager is what `make run` runs; started directly, its process id is ours to stop.
# shellcheck disable=SC2086
./bin/manager $arguments >"$work/manager.log" 2>&1 &
manager=$!
waits "Starting workers" "$work/manager.log" "the manager runs"

show kubectl create -f config/samples/apps_v1alpha1_person.yaml
waits "fetch New Object: Keon Tang" "$work/manager.log" "the reconciler fetched the new object"
show kubectl get person
said "person-sample" "kubectl lists the person"
printf '\n$ curl http://127.0.0.1:%s/metrics | grep reconcile_time_seconds_bucket\n' "$port"
curl -sf "http://127.0.0.1:$port/metrics" >"$work/metrics"
grep 'controller_runtime_reconcile_time_seconds_bucket{controller="person",le="0.005"}' "$work/metrics"
ok "the metrics count the reconcile"

show make deploy IMG=example.com/operator-example:v0.0.1
show kubectl -n operator-example-system get deployments,serviceaccounts,services
said "operator-example-controller-manager" "the manager is deployed"
stop_manager
show kubectl delete -f config/samples/apps_v1alpha1_person.yaml
show make undeploy
show kubectl get crds
if grep -q people "$work/said"; then
  echo "  NOT ok: make undeploy left the CRD" >&2
  exit 1
fi
ok "make undeploy left nothing behind"

printf '\n%s checks passed in %s s: scaffolded, generated, installed, run, reconciled, deployed, removed.\n' "$steps" "$((SECONDS - began))"
