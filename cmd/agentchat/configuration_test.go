package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// docs/configuration.md has the settings as serve --help shows them. Like .ci/generated, this test brings the table up to date when it
// is not, and fails.
func TestConfigurationPage(t *testing.T) {
	t.Parallel()
	const path, head = "../../docs/configuration.md", "| variable | default | meaning |\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, old, found := strings.Cut(string(page), head)
	if !found {
		t.Fatalf("%s has no table that begins with %s", path, head)
	}
	table := settingsTable(t)
	if old == table {
		return
	}
	if err := os.WriteFile(path, []byte(text+head+table), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Error("docs/configuration.md was not up to date; it is now: commit it")
}

// settingsTable makes the table of serve's settings, without its head.
func settingsTable(t *testing.T) string {
	t.Helper()
	helped := false
	parser, err := newParser(&cli{}, nil, process{stdout: io.Discard, stderr: io.Discard}, &helped)
	if err != nil {
		t.Fatal(err)
	}
	table := strings.Builder{}
	table.WriteString("|---|---|---|\n")
	for _, command := range parser.Model.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			if settingName(flag.Value) != "" {
				table.WriteString(settingsRow(flag))
			}
		}
	}
	return table.String()
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
