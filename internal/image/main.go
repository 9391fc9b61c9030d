// Command image writes the container image of a release as an OCI image layout in a tar file: image
// VERSION REVISION SECONDS CONTAINERFILE ARCH=BINARY... > LAYOUT. SECONDS is the time of the commit.
// The settings are those of CONTAINERFILE. The same arguments produce the same bytes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) < 5 {
		return errors.New("usage: image VERSION REVISION SECONDS CONTAINERFILE ARCH=BINARY... > LAYOUT")
	}
	seconds, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	containerfile, err := os.ReadFile(args[3])
	if err != nil {
		return err
	}
	shared, err := readSettings(string(containerfile))
	if err != nil {
		return fmt.Errorf("%s: %w", args[3], err)
	}
	shared.Labels[labels+"version"], shared.Labels[labels+"revision"] = args[0], args[1]
	l := &layout{blobs: map[string][]byte{}, created: time.Unix(seconds, 0).UTC()}
	for _, arg := range args[4:] {
		arch, path, _ := strings.Cut(arg, "=")
		binary, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := l.add(arch, binary, shared); err != nil {
			return err
		}
	}
	return l.write(out, "agentchat:"+args[0])
}
