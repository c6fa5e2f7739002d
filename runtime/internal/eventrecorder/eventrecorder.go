// Package eventrecorder sends the events of an operator to the API server.
//
// Nothing runs until the first event is recorded: recorders are made while an
// operator is set up, long before, and often instead of, being used. From then
// on one broadcaster an API sends events in the background, until Stop.
package eventrecorder

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	eventsv1client "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"kubewright.dev/runtime/pkg/recorder"
)

// Provider hands out recorders, and owns what sends their events.
type Provider struct {
	scheme *runtime.Scheme
	logger logr.Logger

	// mu is held for reading while an event is recorded, so that Stop does not
	// pull the broadcasters from under it.
	mu      sync.RWMutex
	stopped bool
	core    broadcaster[record.EventBroadcaster]
	events  broadcaster[events.EventBroadcaster]
}

var _ recorder.Provider = (*Provider)(nil)

// broadcaster is made when it is first needed.
type broadcaster[B any] struct {
	once sync.Once
	make func() (B, error)
	stop func(B)

	value B
	err   error
	made  bool
}

func (b *broadcaster[B]) get() (B, error) {
	b.once.Do(func() {
		b.value, b.err = b.make()
		b.made = b.err == nil
	})
	return b.value, b.err
}

// shutDown stops the broadcaster, if there is one, and lets none be made later.
func (b *broadcaster[B]) shutDown() {
	b.once.Do(func() { b.err = fmt.Errorf("event recording has stopped") })
	if b.made {
		b.stop(b.value)
	}
}

// New returns a provider that writes to the cluster of config. Events of the
// old API go through shared, if it is not nil; that is not stopped then.
func New(config *rest.Config, httpClient *http.Client, scheme *runtime.Scheme, logger logr.Logger, shared record.EventBroadcaster) (*Provider, error) {
	coreClient, err := corev1client.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("client for events: %w", err)
	}
	eventsClient, err := eventsv1client.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("client for events: %w", err)
	}

	p := &Provider{scheme: scheme, logger: logger}
	p.core = broadcaster[record.EventBroadcaster]{
		make: func() (record.EventBroadcaster, error) {
			b := shared
			if b == nil {
				b = record.NewBroadcaster()
			}
			b.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: coreClient.Events("")})
			b.StartEventWatcher(func(e *corev1.Event) {
				logger.V(1).Info(e.Message, "type", e.Type, "object", e.InvolvedObject, "reason", e.Reason)
			})
			return b, nil
		},
		stop: func(b record.EventBroadcaster) {
			if shared == nil {
				b.Shutdown()
			}
		},
	}
	sending, stopSending := context.WithCancel(context.Background())
	p.events = broadcaster[events.EventBroadcaster]{
		make: func() (events.EventBroadcaster, error) {
			b := events.NewBroadcaster(&events.EventSinkImpl{Interface: eventsClient})
			if err := b.StartRecordingToSinkWithContext(sending); err != nil {
				b.Shutdown()
				return nil, err
			}
			_, err := b.StartEventWatcher(func(object runtime.Object) {
				if e, ok := object.(*eventsv1.Event); ok {
					logger.V(1).Info(e.Note, "type", e.Type, "object", e.Regarding, "related", e.Related, "action", e.Action, "reason", e.Reason)
				}
			})
			return b, err
		},
		stop: func(b events.EventBroadcaster) {
			b.Shutdown()
			stopSending()
		},
	}
	return p, nil
}

// Stop ends the sending. Events recorded later are dropped.
func (p *Provider) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.stopped = true
	p.core.shutDown()
	p.events.shutDown()
}

// whileSending runs send unless the provider has stopped.
func (p *Provider) whileSending(send func() error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.stopped {
		return
	}
	if err := send(); err != nil {
		p.logger.Error(err, "events are not being recorded")
	}
}

// GetEventRecorderFor returns a recorder of the old events API.
func (p *Provider) GetEventRecorderFor(name string) record.EventRecorder {
	return &coreRecorder{provider: p, make: sync.OnceValues(func() (record.EventRecorder, error) {
		b, err := p.core.get()
		if err != nil {
			return nil, err
		}
		return b.NewRecorder(p.scheme, corev1.EventSource{Component: name}), nil
	})}
}

// GetEventRecorder returns a recorder of events.k8s.io/v1 events.
func (p *Provider) GetEventRecorder(name string) recorder.EventRecorder {
	return &eventsRecorder{provider: p, make: sync.OnceValues(func() (recorder.EventRecorder, error) {
		b, err := p.events.get()
		if err != nil {
			return nil, err
		}
		made := b.NewRecorder(p.scheme, name)
		annotating, ok := made.(recorder.EventRecorder)
		if !ok {
			return nil, fmt.Errorf("client-go's event recorder %T takes no annotations", made)
		}
		return annotating, nil
	})}
}

// coreRecorder is a recorder of the old API that is made when it is used.
type coreRecorder struct {
	provider *Provider
	make     func() (record.EventRecorder, error)
}

func (r *coreRecorder) with(use func(record.EventRecorder)) {
	r.provider.whileSending(func() error {
		made, err := r.make()
		if err == nil {
			use(made)
		}
		return err
	})
}

// Event records an event about the object.
func (r *coreRecorder) Event(object runtime.Object, eventtype, reason, message string) {
	r.with(func(made record.EventRecorder) { made.Event(object, eventtype, reason, message) })
}

// Eventf records an event with a formatted message.
func (r *coreRecorder) Eventf(object runtime.Object, eventtype, reason, format string, args ...any) {
	r.with(func(made record.EventRecorder) { made.Eventf(object, eventtype, reason, format, args...) })
}

// AnnotatedEventf records an event with a formatted message and annotations.
func (r *coreRecorder) AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, format string, args ...any) {
	r.with(func(made record.EventRecorder) {
		made.AnnotatedEventf(object, annotations, eventtype, reason, format, args...)
	})
}

// eventsRecorder is a recorder of the new API that is made when it is used.
type eventsRecorder struct {
	provider *Provider
	make     func() (recorder.EventRecorder, error)
}

func (r *eventsRecorder) with(use func(recorder.EventRecorder)) {
	r.provider.whileSending(func() error {
		made, err := r.make()
		if err == nil {
			use(made)
		}
		return err
	})
}

// Eventf records an event about regarding, and related if it is not nil.
func (r *eventsRecorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	r.with(func(made recorder.EventRecorder) {
		made.Eventf(regarding, related, eventtype, reason, action, note, args...)
	})
}

// AnnotatedEventf records an event with annotations.
func (r *eventsRecorder) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
	r.with(func(made recorder.EventRecorder) {
		made.AnnotatedEventf(regarding, related, annotations, eventtype, reason, action, note, args...)
	})
}
