package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ownPrefix is the prefix of variables that only this program uses. Unknown ones are refused as
// typing errors.
const ownPrefix = "AGENTCHAT_"

// environment holds the process's variables by name. White space around values is trimmed, because
// values from files often end with a line break. Empty variables are left out, because compose
// files pass unset variables on as empty ones.
type environment map[string]string

func parseEnv(lines []string) environment {
	env := environment{}
	for _, line := range lines {
		if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(value) != "" {
			env[name] = strings.TrimSpace(value)
		}
	}
	return env
}

// quoted refuses a value in quotes: env files of containers keep quotes as a part of the value. The
// error does not contain the value.
func quoted(name, value string) error {
	if last := len(value) - 1; last > 0 && value[0] == value[last] && strings.ContainsRune("\"'`", rune(value[0])) {
		return usagef("%s is in quotes (%c), which are a part of the value: leave them out", name, value[0])
	}
	return nil
}

// resolve returns the variable's value for a flag that is not on the command line. A flag with the tag
// "secret" is also read from a file.
func (e environment) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := settingName(flag.Value)
	value, err := e[name], quoted(name, e[name])
	if flag.Tag.Has("secret") {
		value, err = e.secret(name)
	}
	if value == "" || err != nil {
		return nil, err
	}
	return value, nil
}

// secret returns the value of a variable, or the content of the file that NAME_FILE names; "" when neither is set.
func (e environment) secret(name string) (string, error) {
	value, path := e[name], e[name+"_FILE"]
	switch {
	case path == "":
		return value, quoted(name, value)
	case value != "":
		return "", usagef("%s is given twice: as %s and as %s_FILE; leave one out", name, name, name)
	}
	if err := quoted(name+"_FILE", path); err != nil {
		return "", err
	}
	content, err := readSecretFile(path)
	if err != nil {
		return "", usagef("%s_FILE %v", name, err)
	}
	return content, quoted("the value in "+path+", which "+name+"_FILE names,", content)
}

// maxSecretFile is the largest file of a secret, in bytes.
const maxSecretFile = 64 << 10

// readSecretFile reads a secret. It trims white space and the byte-order mark that some editors write.
// Its errors follow the variable's name.
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
	text := strings.TrimSpace(strings.TrimPrefix(string(content), "\ufeff"))
	if text == "" {
		return "", fmt.Errorf("has no value: %s is empty", path)
	}
	return text, nil
}

// refuseUnknown refuses a variable with our prefix that is not a setting of any command. It is
// probably a typing error, and the default would apply unnoticed. The tests use AGENTCHAT_TEST_.
func (e environment) refuseUnknown(root *kong.Node) error {
	known := map[string]bool{"AGENTCHAT_API_KEY_FILE": true}
	collectSettings(root, known)
	var ours, unknown []string
	for name := range known {
		if strings.HasPrefix(name, ownPrefix) {
			ours = append(ours, name)
		}
	}
	for name := range e {
		if strings.HasPrefix(name, ownPrefix) && !strings.HasPrefix(name, "AGENTCHAT_TEST_") && !known[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	slices.Sort(ours)
	return usagef("the environment variable %s is not a setting; those with this prefix are %s",
		unknown[0], strings.Join(ours, ", "))
}

func collectSettings(node *kong.Node, into map[string]bool) {
	for _, flag := range node.Flags {
		if name := settingName(flag.Value); name != "" {
			into[name] = true
		}
	}
	for _, child := range node.Children {
		collectSettings(child, into)
	}
}
