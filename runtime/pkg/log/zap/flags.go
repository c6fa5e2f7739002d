package zap

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// BindFlags registers the flags that set the options:
//
//	--zap-devel             for people instead of machines
//	--zap-encoder           json or console
//	--zap-log-level         debug, info, error, panic, or a number above zero for logr's V of it
//	--zap-stacktrace-level  info, error or panic
//	--zap-time-encoding     epoch, millis, nano, iso8601, rfc3339 or rfc3339nano
//
// What the options hold is the default of the first; the others change nothing
// unless given.
func (o *Options) BindFlags(fs *flag.FlagSet) {
	fs.BoolVar(&o.Development, "zap-devel", o.Development,
		"Log for people (console, from debug on, stack traces from warnings on) instead of for machines (JSON, from info on, stack traces from errors on).")
	fs.Func("zap-encoder", "How log lines are written: json or console.", func(given string) error {
		return choose(given, map[string]NewEncoderFunc{"json": newJSON, "console": newConsole}, func(chosen NewEncoderFunc) {
			o.NewEncoder = chosen
		})
	})
	fs.Func("zap-log-level", "The lowest level that is logged: debug, info, error, panic, or a number above zero for more detail than debug, which is 1.", func(given string) error {
		level, err := parseLevel(given)
		if err == nil {
			o.Level = level
		}
		return err
	})
	fs.Func("zap-stacktrace-level", "The level from which on log lines have a stack trace: info, error or panic.", func(given string) error {
		return choose(given, stacktraceLevels, func(chosen zapcore.Level) {
			o.StacktraceLevel = zap.NewAtomicLevelAt(chosen)
		})
	})
	fs.Func("zap-time-encoding", "How times are written: epoch, millis, nano, iso8601, rfc3339 or rfc3339nano. Default: rfc3339.", func(given string) error {
		return choose(given, timeEncoders, func(chosen zapcore.TimeEncoder) {
			o.TimeEncoder = chosen
		})
	})
}

var stacktraceLevels = map[string]zapcore.Level{
	"info":  zapcore.InfoLevel,
	"warn":  zapcore.WarnLevel,
	"error": zapcore.ErrorLevel,
	"panic": zapcore.PanicLevel,
}

var logLevels = map[string]zapcore.Level{
	"debug": zapcore.DebugLevel,
	"info":  zapcore.InfoLevel,
	"warn":  zapcore.WarnLevel,
	"error": zapcore.ErrorLevel,
	"panic": zapcore.PanicLevel,
}

var timeEncoders = map[string]zapcore.TimeEncoder{
	"epoch":       zapcore.EpochTimeEncoder,
	"millis":      zapcore.EpochMillisTimeEncoder,
	"nano":        zapcore.EpochNanosTimeEncoder,
	"iso8601":     zapcore.ISO8601TimeEncoder,
	"rfc3339":     zapcore.RFC3339TimeEncoder,
	"rfc3339nano": zapcore.RFC3339NanoTimeEncoder,
}

// choose hands the choice of that name on, or says which there are.
func choose[T any](given string, choices map[string]T, use func(T)) error {
	chosen, ok := choices[strings.ToLower(given)]
	if !ok {
		names := make([]string, 0, len(choices))
		for name := range choices {
			names = append(names, name)
		}
		slices.Sort(names)
		return fmt.Errorf("not one of %s", strings.Join(names, ", "))
	}
	use(chosen)
	return nil
}

// parseLevel reads a level's name, or the n of logr's V(n).
func parseLevel(given string) (zapcore.LevelEnabler, error) {
	number, err := strconv.Atoi(given)
	if err != nil {
		var level zapcore.LevelEnabler
		err := choose(given, logLevels, func(chosen zapcore.Level) { level = zap.NewAtomicLevelAt(chosen) })
		return level, err
	}
	if number <= 0 || number > -math.MinInt8 {
		return nil, fmt.Errorf("a number must be from 1 to %d", -math.MinInt8)
	}
	return zap.NewAtomicLevelAt(zapcore.Level(-number)), nil
}
