package log

import "github.com/go-logr/logr"

// NullLogSink drops every line. The zero value is ready.
//
// Deprecated: use logr.Discard().
type NullLogSink struct{}

var _ logr.LogSink = NullLogSink{}

// Init does nothing.
func (NullLogSink) Init(logr.RuntimeInfo) {}

// Enabled is false for all levels.
func (NullLogSink) Enabled(int) bool { return false }

// Info drops the line.
func (NullLogSink) Info(int, string, ...any) {}

// Error drops the line.
func (NullLogSink) Error(error, string, ...any) {}

// WithName returns the same sink.
func (s NullLogSink) WithName(string) logr.LogSink { return s }

// WithValues returns the same sink.
func (s NullLogSink) WithValues(...any) logr.LogSink { return s }
