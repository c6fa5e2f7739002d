// Package zap makes a logger on top of Uber's zap, with the settings that suit
// an operator and the command line flags that people know.
//
//	opts := zap.Options{Development: true}
//	opts.BindFlags(flag.CommandLine)
//	flag.Parse()
//	log.SetLogger(zap.New(zap.UseFlagOptions(&opts)))
//
// For machines (the default) lines are JSON from info on, sampled where they
// come in floods, and an error has its stack trace. For people (Development)
// they are text from debug on, and warnings have their stack trace too. A
// Kubernetes object among a line's values is written as its kind, namespace and
// name, not as the whole object.
package zap

import (
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/zapr"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// EncoderConfigOption changes how an encoder writes.
type EncoderConfigOption func(*zapcore.EncoderConfig)

// NewEncoderFunc makes an encoder.
type NewEncoderFunc func(...EncoderConfigOption) zapcore.Encoder

// Opts changes the options that New starts from.
type Opts func(*Options)

// Options say how to log. What is not set has a default that depends on
// Development.
type Options struct {
	// Development logs for people instead of machines.
	Development bool

	// Encoder writes lines. It is preferred to NewEncoder.
	Encoder zapcore.Encoder

	// EncoderConfigOptions change the encoder that NewEncoder makes.
	EncoderConfigOptions []EncoderConfigOption

	// NewEncoder makes the encoder. Default: text in development, else JSON.
	NewEncoder NewEncoderFunc

	// DestWriter is where lines go. Default: standard error.
	DestWriter io.Writer

	// Level is the lowest level that is logged. logr's V(n) is level -n. Default:
	// debug in development, else info.
	Level zapcore.LevelEnabler

	// StacktraceLevel is the level from which on lines have a stack trace.
	// Default: warning in development, else error.
	StacktraceLevel zapcore.LevelEnabler

	// ZapOpts are handed to zap as they are.
	ZapOpts []zap.Option

	// TimeEncoder writes a line's time. Default: RFC 3339.
	TimeEncoder zapcore.TimeEncoder
}

// New returns a logger made with the options.
func New(opts ...Opts) logr.Logger { return zapr.NewLogger(NewRaw(opts...)) }

// NewRaw is New, for who wants zap's own logger.
func NewRaw(opts ...Opts) *zap.Logger {
	var options Options
	for _, change := range opts {
		change(&options)
	}
	options.complete()

	lines := zapcore.AddSync(options.DestWriter)
	settings := append([]zap.Option{zap.ErrorOutput(lines), zap.AddStacktrace(options.StacktraceLevel)}, options.ZapOpts...)
	if options.Development {
		settings = append(settings, zap.Development())
	} else if !options.Level.Enabled(zapcore.Level(-2)) {
		// A hundred lines of a text a second, then every hundredth. Not below
		// debug: zap samples no levels that it does not know.
		settings = append(settings, zap.WrapCore(func(core zapcore.Core) zapcore.Core {
			return zapcore.NewSamplerWithOptions(core, time.Second, 100, 100)
		}))
	}
	encoder := &KubeAwareEncoder{Encoder: options.Encoder, Verbose: options.Development}
	core := namingCore{Core: zapcore.NewCore(encoder, lines, options.Level), encoder: encoder}
	return zap.New(core, settings...)
}

// complete sets what is not set.
func (o *Options) complete() {
	encoder, level, stacktrace := newJSON, zapcore.InfoLevel, zapcore.ErrorLevel
	if o.Development {
		encoder, level, stacktrace = newConsole, zapcore.DebugLevel, zapcore.WarnLevel
	}
	if o.DestWriter == nil {
		o.DestWriter = os.Stderr
	}
	if o.Level == nil {
		o.Level = zap.NewAtomicLevelAt(level)
	}
	if o.StacktraceLevel == nil {
		o.StacktraceLevel = zap.NewAtomicLevelAt(stacktrace)
	}
	if o.TimeEncoder == nil {
		o.TimeEncoder = zapcore.RFC3339TimeEncoder
	}
	if o.NewEncoder == nil {
		o.NewEncoder = encoder
	}
	if o.Encoder == nil {
		timeFirst := func(c *zapcore.EncoderConfig) { c.EncodeTime = o.TimeEncoder }
		o.Encoder = o.NewEncoder(append([]EncoderConfigOption{timeFirst}, o.EncoderConfigOptions...)...)
	}
}

func newJSON(opts ...EncoderConfigOption) zapcore.Encoder {
	return zapcore.NewJSONEncoder(configured(zap.NewProductionEncoderConfig(), opts))
}

func newConsole(opts ...EncoderConfigOption) zapcore.Encoder {
	return zapcore.NewConsoleEncoder(configured(zap.NewDevelopmentEncoderConfig(), opts))
}

func configured(config zapcore.EncoderConfig, opts []EncoderConfigOption) zapcore.EncoderConfig {
	for _, change := range opts {
		change(&config)
	}
	return config
}

// UseDevMode logs for people, or for machines.
func UseDevMode(enabled bool) Opts {
	return func(o *Options) { o.Development = enabled }
}

// WriteTo sets where lines go.
func WriteTo(out io.Writer) Opts {
	return func(o *Options) { o.DestWriter = out }
}

// Encoder sets what writes lines.
func Encoder(encoder zapcore.Encoder) func(o *Options) {
	return func(o *Options) { o.Encoder = encoder }
}

// JSONEncoder writes lines as JSON.
func JSONEncoder(opts ...EncoderConfigOption) func(o *Options) {
	return func(o *Options) { o.Encoder = newJSON(opts...) }
}

// ConsoleEncoder writes lines as text.
func ConsoleEncoder(opts ...EncoderConfigOption) func(o *Options) {
	return func(o *Options) { o.Encoder = newConsole(opts...) }
}

// Level sets the lowest level that is logged.
func Level(level zapcore.LevelEnabler) func(o *Options) {
	return func(o *Options) { o.Level = level }
}

// StacktraceLevel sets the level from which on lines have a stack trace.
func StacktraceLevel(level zapcore.LevelEnabler) func(o *Options) {
	return func(o *Options) { o.StacktraceLevel = level }
}

// RawZapOpts adds options of zap's own.
func RawZapOpts(opts ...zap.Option) func(o *Options) {
	return func(o *Options) { o.ZapOpts = append(o.ZapOpts, opts...) }
}

// UseFlagOptions starts from the options that the command line was bound to.
// Call New with it after the flags were parsed.
func UseFlagOptions(in *Options) Opts {
	return func(o *Options) { *o = *in }
}
