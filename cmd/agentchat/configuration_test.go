package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestConfigurationPage tests that docs/configuration.md has the settings as serve --help shows
// them. If not, it updates the tables, like .ci/generated, and fails.
func TestConfigurationPage(t *testing.T) {
	t.Parallel()
	const path = "../../docs/configuration.md"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flags, variables := settingsTables(t)
	page := string(old)
	for head, table := range map[string]string{
		"| variable | default | meaning |\n":       flags,
		"| without a flag | default | meaning |\n": variables,
	} {
		before, after, found := strings.Cut(page, head)
		if !found {
			t.Fatalf("%s has no table that begins with %s", path, head)
		}
		_, after, _ = strings.Cut(after, "\n\n")
		page = before + head + table + "\n" + after
	}
	if page = strings.TrimRight(page, "\n") + "\n"; page == string(old) {
		return
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Error("docs/configuration.md was not up to date; it is now: commit it")
}

// serveSettingsOf returns the flags of serve that are settings, and the names of the settings of
// all commands with a database.
func serveSettingsOf(t *testing.T) (settings []*kong.Flag, ofAll map[string]bool) {
	t.Helper()
	helped, ofAll := false, map[string]bool{}
	parser, err := newParser(&cli{}, nil, process{stdout: io.Discard, stderr: io.Discard}, &helped)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		if command.Name != "bridge" && command.Name != "mcp" {
			collectSettings(command, ofAll)
		}
		if command.Name == "serve" {
			settings = slices.DeleteFunc(command.Flags, func(f *kong.Flag) bool { return settingName(f.Value) == "" })
		}
	}
	return settings, ofAll
}

// settingsTables returns the tables of serve's settings with and without a flag, without their
// header rows.
func settingsTables(t *testing.T) (flags, variables string) {
	t.Helper()
	flags, variables = "|---|---|---|\n", "|---|---|---|\n"
	settings, _ := serveSettingsOf(t)
	for _, flag := range settings {
		if flag.Tag.Has("noflag") {
			variables += settingsRow(flag)
		} else {
			flags += settingsRow(flag)
		}
	}
	return flags, variables
}

// TestHelpListsEverySetting tests that serve --help names each variable of every command, with its
// flag or in the list of those without.
func TestHelpListsEverySetting(t *testing.T) {
	t.Parallel()
	settings, missing := serveSettingsOf(t)
	flags, variables, found := strings.Cut(invoke(t, nil, "", "serve", "--help").stdout, withoutFlag)
	flags = strings.Join(strings.Fields(flags), " ")
	for _, flag := range settings {
		name := settingName(flag.Value)
		delete(missing, name)
		if flag.Tag.Has("noflag") {
			if !strings.Contains(variables, "\n  "+name+"\n") || strings.Contains(flags, "--"+flag.Name) {
				t.Errorf("serve --help does not list %s as a variable without a flag", name)
			}
		} else if !strings.Contains(flags, "("+name+").") || !strings.Contains(flags, "--"+flag.Name) {
			t.Errorf("serve --help does not name %s and its flag", name)
		}
	}
	if len(missing) > 0 || !found {
		t.Errorf("serve --help lacks settings of other commands: %v", missing)
	}
}

func settingsRow(flag *kong.Flag) string {
	name := "`" + settingName(flag.Value) + "`"
	if flag.Tag.Has("secret") {
		name += ", `" + settingName(flag.Value) + "_FILE`"
	}
	meaning, fallback, described := strings.Cut(withLimits(flag.Value), "; default")
	fallback = strings.TrimLeft(fallback, ": ")
	switch {
	case flag.HasDefault:
		fallback = "`" + flag.Default + "`"
	case !described:
		fallback = "none"
	}
	return fmt.Sprintf("| %s | %s | %s |\n", name, fallback, strings.ReplaceAll(meaning, "|", `\|`))
}
