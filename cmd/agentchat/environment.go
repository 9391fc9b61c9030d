package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ownPrefix begins the names of variables that no other program uses, so that a misspelt one is noticed.
const ownPrefix = "AGENTCHAT_"

// environment is the process's variables by name. Empty ones are left out: that is how compose files pass on variables that
// are not set.
type environment map[string]string

func parseEnv(lines []string) environment {
	env := environment{}
	for _, line := range lines {
		if name, value, ok := strings.Cut(line, "="); ok && value != "" {
			env[name] = value
		}
	}
	return env
}

// secret returns the secret in a variable that the models file names, or in its file; "" when neither is set.
func (e environment) secret(name string) (string, error) {
	value, file := e[name], e[name+"_FILE"]
	switch {
	case file == "":
		return value, nil
	case value != "":
		return "", givenTwice(name)
	}
	content, err := readSecretFile(file)
	if err != nil {
		return "", fmt.Errorf("%s_FILE %w", name, err)
	}
	return content, nil
}

// resolve gives a flag that was not on the command line the value of its variable.
func (e environment) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if value := e[settingName(flag.Value)]; value != "" {
		return value, nil
	}
	return nil, nil //nolint:nilnil // kong's way to say "no value"
}

// refuseUnknown finds a variable that has our prefix and is not a setting of any command: a typing error that would otherwise
// leave a default in place. The panel's snippets use AGENTCHAT_API_KEY, and the tests use AGENTCHAT_TEST_.
func (e environment) refuseUnknown(root *kong.Node) error {
	known := map[string]bool{"AGENTCHAT_API_KEY": true}
	collectSettings(root, known)
	var ours, unknown []string
	for name := range known {
		if strings.HasPrefix(name, ownPrefix) && name != "AGENTCHAT_API_KEY" {
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
