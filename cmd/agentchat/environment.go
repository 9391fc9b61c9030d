package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ownPrefix begins the variables that belong to this program alone, so that a misspelt one can be told from somebody else's.
const ownPrefix = "AGENTCHAT_"

// environment is the process's variables by name. Empty ones are left out: compose files pass variables on that way when
// they are not set.
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

// secret returns the secret that a variable holds, or its file; "" when neither is set. The models file names such variables.
func (e environment) secret(name string) (string, error) {
	var r reader
	value := r.secret(name, e[name], e[name+"_FILE"])
	return value, r.err
}

// resolve gives a flag that was not on the command line the value of its variable.
func (e environment) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if value := e[settingName(flag.Value)]; value != "" {
		return value, nil
	}
	return nil, nil //nolint:nilnil // kong's way to say "no value"
}

// refuseUnknown finds a variable that has our prefix and is no setting of any command: a typing error that would otherwise
// leave a default in place. AGENTCHAT_API_KEY is what the panel's snippets use, AGENTCHAT_TEST_ belongs to the tests.
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
