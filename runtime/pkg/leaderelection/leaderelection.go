// Package leaderelection makes the lock that the replicas of an operator
// compete for.
//
// The lock is a Lease in the operator's namespace. The replica that holds it
// leads; the others stand by. The manager runs the election itself; this
// package only says what is competed for, and under which identity.
package leaderelection

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"kubewright.dev/runtime/pkg/recorder"
)

// podNamespaceFile is where the kubelet tells a pod which namespace it is in.
const podNamespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// Options say which lock to make.
type Options struct {
	// LeaderElection turns the election on. Without it there is no lock.
	LeaderElection bool

	// LeaderElectionResourceLock is the kind of the lock. Default, and the only
	// one that is left: "leases".
	LeaderElectionResourceLock string

	// LeaderElectionNamespace is where the Lease is. Default: the namespace of
	// the pod; outside a cluster it must be given.
	LeaderElectionNamespace string

	// LeaderElectionID is the name of the Lease. It has to be given.
	LeaderElectionID string

	// RenewDeadline is how long the leader tries to renew the Lease. A single
	// request for it takes at most half of that, so that one that hangs does not
	// cost the lead. Zero leaves requests to the config's time-out.
	RenewDeadline time.Duration

	// LeaderLabels are put on the Lease by the leader.
	LeaderLabels map[string]string
}

// NewResourceLock makes the lock, or returns nil without an error where the
// election is off. Events about who leads go to the recorder.
func NewResourceLock(config *rest.Config, recorderProvider recorder.Provider, options Options) (resourcelock.Interface, error) {
	if !options.LeaderElection {
		return nil, nil
	}
	kind := options.LeaderElectionResourceLock
	if kind == "" {
		kind = resourcelock.LeasesResourceLock
	}
	if options.LeaderElectionID == "" {
		return nil, errors.New("leader election is on but has no name for its lease: set LeaderElectionID")
	}
	namespace := options.LeaderElectionNamespace
	if namespace == "" {
		var err error
		if namespace, err = podNamespace(); err != nil {
			return nil, fmt.Errorf("no namespace for the lease %s: %w", options.LeaderElectionID, err)
		}
	}
	identity, err := newIdentity()
	if err != nil {
		return nil, err
	}

	config = rest.AddUserAgent(rest.CopyConfig(config), "leader-election")
	if options.RenewDeadline > 0 {
		config.Timeout = max(options.RenewDeadline/2, time.Second)
	}
	core, err := corev1client.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("client for leader election: %w", err)
	}
	coordination, err := coordinationv1client.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("client for leader election: %w", err)
	}
	return resourcelock.NewWithLabels(kind, namespace, options.LeaderElectionID, core, coordination,
		resourcelock.ResourceLockConfig{
			Identity:      identity,
			EventRecorder: recorderProvider.GetEventRecorderFor(identity), //nolint:staticcheck // client-go's lock takes this kind alone.
		}, options.LeaderLabels)
}

// newIdentity is the host's name, which is the pod's, for people, and something
// random, so that two processes of one host differ.
func newIdentity() (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("identity for leader election: %w", err)
	}
	return host + "_" + string(uuid.NewUUID()), nil
}

func podNamespace() (string, error) {
	content, err := os.ReadFile(podNamespaceFile)
	if errors.Is(err, os.ErrNotExist) {
		return "", errors.New("this process is not in a pod: set LeaderElectionNamespace")
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(content)), nil
}
