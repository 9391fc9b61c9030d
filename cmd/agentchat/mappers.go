package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// mappers return kong's options for numbers and durations with the tags "min" and "max", and for
// the type "choice" with the tag "choices".
func mappers() []kong.Option {
	return []kong.Option{
		kong.KindMapper(reflect.Int, decodeRange("a whole number", parseInt)),
		kong.KindMapper(reflect.Int64, decodeRange("a whole number", parseInt)),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), decodeRange("a duration", time.ParseDuration)),
		kong.NamedMapper("choice", kong.MapperFunc(decodeChoice)),
	}
}

// namingMapper turns a mapper's error into a usage error that names the variable and the flag.
type namingMapper struct{ kong.Mapper }

// Decode decodes a flag's value.
func (m namingMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	name := "--" + ctx.Value.Name
	if setting := settingName(ctx.Value); setting != "" {
		name = setting + " (" + name + ")"
	}
	if ctx.Value.Tag != nil && ctx.Value.Tag.Has("noflag") {
		name = settingName(ctx.Value)
	}
	if !ctx.Scan.Peek().IsValue() {
		return usagef("%s needs a value", name)
	}
	if err := m.Mapper.Decode(ctx, target); err != nil {
		return usagef("%s %v", name, err)
	}
	return nil
}

// nameErrors wraps the mapper of every flag with a value in a namingMapper.
func nameErrors(node *kong.Node) {
	for _, flag := range node.Flags {
		if !flag.IsBool() {
			flag.Mapper = namingMapper{flag.Mapper}
		}
	}
	for _, child := range node.Children {
		nameErrors(child)
	}
}

// popText returns the next value from the command line or the environment.
func popText(ctx *kong.DecodeContext) string { return ctx.Scan.Pop().String() }

// decodeRange decodes a value that must lie between the tags "min" and "max".
func decodeRange[T int64 | time.Duration](
	what string, parse func(string) (T, error),
) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		text, low, high := popText(ctx), ctx.Value.Tag.Get("min"), ctx.Value.Tag.Get("max")
		least, errLow := parse(low)
		most, errHigh := parse(high)
		value, err := parse(text)
		if err != nil || errLow != nil || errHigh != nil || value < least || value > most {
			return fmt.Errorf("must be %s from %s to %s, not %q", what, low, high, text)
		}
		target.SetInt(int64(value))
		return nil
	}
}

func parseInt(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }

func decodeChoice(ctx *kong.DecodeContext, target reflect.Value) error {
	text, choices := popText(ctx), strings.Split(ctx.Value.Tag.Get("choices"), "|")
	if text != "" && !slices.Contains(choices, text) {
		return fmt.Errorf("must be one of %s, not %q", strings.Join(choices, ", "), text)
	}
	target.SetString(text)
	return nil
}
