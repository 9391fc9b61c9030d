package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// labels is the prefix of the labels and annotations that the image specification names.
const labels = "org.opencontainers.image."

// settings is the object "config" of an image's configuration.
type settings struct {
	User         string
	ExposedPorts map[string]struct{}
	Env          []string
	Entrypoint   []string
	Cmd          []string
	Labels       map[string]string
	StopSignal   string
}

// readSettings reads the first stage of a Containerfile that starts from an empty image, so that all
// images run in the same way.
func readSettings(containerfile string) (settings, error) {
	s := settings{ExposedPorts: map[string]struct{}{}, Labels: map[string]string{}}
	_, stage, found := strings.Cut(containerfile, "\nFROM scratch AS ")
	if !found {
		return s, errors.New("no stage starts with FROM scratch AS")
	}
	stage, _, _ = strings.Cut(stage, "\nFROM ")
	for _, line := range strings.Split(stage, "\n")[1:] {
		instruction, value, _ := strings.Cut(line, " ")
		var err error
		switch instruction {
		case "":
		case "USER":
			s.User = value
		case "ENV":
			s.Env = append(s.Env, strings.Fields(value)...)
		case "EXPOSE":
			for _, port := range strings.Fields(value) {
				s.ExposedPorts[port+"/tcp"] = struct{}{}
			}
		case "LABEL":
			for _, label := range strings.Fields(value) {
				name, text, _ := strings.Cut(label, "=")
				s.Labels[name] = text
			}
		case "STOPSIGNAL":
			s.StopSignal = value
		case "ENTRYPOINT":
			err = json.Unmarshal([]byte(value), &s.Entrypoint)
		case "CMD":
			err = json.Unmarshal([]byte(value), &s.Cmd)
		default:
			err = errors.New("unknown instruction")
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", line, err)
		}
	}
	return s, nil
}
