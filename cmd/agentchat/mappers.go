package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// mappers are how kong reads a number or a duration with the tags "min" and "max", a "choice" with the tag "choices", and a
// "secretfile": the path of a file that contains the value.
func mappers() []kong.Option {
	return []kong.Option{
		kong.KindMapper(reflect.Int, decodeRange("a whole number", parseInt)),
		kong.KindMapper(reflect.Int64, decodeRange("a whole number", parseInt)),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), decodeRange("a duration", time.ParseDuration)),
		kong.NamedMapper("choice", kong.MapperFunc(decodeChoice)),
		kong.NamedMapper("secretfile", kong.MapperFunc(decodeSecretFile)),
	}
}

// namingMapper makes a usage error of a mapper's error: one that names the variable and the flag.
type namingMapper struct{ kong.Mapper }

// Decode decodes a flag's value.
func (m namingMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	name := "--" + ctx.Value.Name
	if setting := settingName(ctx.Value); setting != "" {
		name = setting + " (" + name + ")"
	}
	if !ctx.Scan.Peek().IsValue() {
		return usagef("%s needs a value", name)
	}
	if err := m.Mapper.Decode(ctx, target); err != nil {
		return usagef("%s %v", name, err)
	}
	return nil
}

// nameErrors puts a namingMapper around the mapper of every flag that takes a value.
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

// popText takes a value from the command line or the environment.
func popText(ctx *kong.DecodeContext) string { return ctx.Scan.Pop().String() }

// decodeRange decodes a value that must lie between the tags "min" and "max".
func decodeRange[T int64 | time.Duration](what string, parse func(string) (T, error)) kong.MapperFunc {
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

func decodeSecretFile(ctx *kong.DecodeContext, target reflect.Value) error {
	path := popText(ctx)
	if path == "" {
		return nil
	}
	content, err := readSecretFile(path)
	if err != nil {
		return err
	}
	return target.Addr().Interface().(interface{ UnmarshalText([]byte) error }).UnmarshalText([]byte(content))
}

// maxSecretFile bounds what is read from a secret's file.
const maxSecretFile = 64 << 10

// readSecretFile reads a secret and removes the line break at its end.
func readSecretFile(path string) (string, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return "", fmt.Errorf("cannot be read: %s: %w", path, plainFileError(err))
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot be read: %s: %w", path, plainFileError(err))
	case len(content) > maxSecretFile:
		return "", fmt.Errorf("is not a secret: %s is longer than 64 KiB", path)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if text == "" {
		return "", fmt.Errorf("has no value: %s is empty", path)
	}
	return text, nil
}

// useFile takes a secret from its file when there is one. Both at once are an error.
func useFile[T ~string](name string, value *T, file T) error {
	switch {
	case file == "":
		return nil
	case *value != "":
		return givenTwice(name)
	}
	*value = file
	return nil
}

func givenTwice(name string) error {
	return usagef("%s is given twice: as %s and as %s_FILE; leave one out", name, name, name)
}
