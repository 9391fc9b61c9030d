package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const container = "../../deploy/container/Containerfile"

// untar returns the files of a tar file, and checks that nothing in it comes from this machine.
func untar(t *testing.T, from io.Reader, seconds int64) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for archive := tar.NewReader(from); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid+header.Gid != 0 || header.Uname+header.Gname != "" || !header.ModTime.Equal(time.Unix(seconds, 0)) {
			t.Errorf("%+v", header)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

func parsed[T any](t *testing.T, text []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestImages follows the layout from its index to the files of each image.
func TestImages(t *testing.T) {
	t.Parallel()
	const seconds = 1_796_040_000
	args := []string{"0.2.0", "abc", "1796040000", container}
	for _, arch := range []string{"amd64", "arm64"} {
		path := filepath.Join(t.TempDir(), "binary")
		if err := os.WriteFile(path, []byte("for "+arch), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, arch+"="+path)
	}
	var out, again bytes.Buffer
	if err := errors.Join(run(args, &out), run(args, &again)); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Fatalf("%v, or two different layouts", err)
	}
	files := untar(t, &out, seconds)
	if string(files["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("%s", files["oci-layout"])
	}
	blob := func(d descriptor, kind string) []byte {
		t.Helper()
		b := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if digestOf(b) != d.Digest || len(b) != d.Size || d.MediaType != mediaTypes+kind {
			t.Fatalf("%+v has %d bytes", d, len(b))
		}
		return b
	}
	all := parsed[index](t, files["index.json"]).Manifests
	if len(all) != 1 || all[0].Annotations[labels+"ref.name"] != "agentchat:0.2.0" {
		t.Fatalf("%+v", all)
	}
	images := parsed[index](t, blob(all[0], "index.v1+json")).Manifests
	if len(images) != 2 {
		t.Fatalf("%+v", images)
	}
	for i, arch := range []string{"amd64", "arm64"} {
		m := parsed[manifest](t, blob(images[i], "manifest.v1+json"))
		c := parsed[configuration](t, blob(m.Config, "config.v1+json"))
		zip, err := gzip.NewReader(bytes.NewReader(blob(m.Layers[0], "layer.v1.tar+gzip")))
		if err != nil {
			t.Fatal(err)
		}
		layer, err := io.ReadAll(zip)
		if err != nil {
			t.Fatal(err)
		}
		if *images[i].Platform != c.platform || c.platform != (platform{arch, "linux"}) || len(m.Layers) != 1 ||
			!reflect.DeepEqual(c.RootFS, rootFS{"layers", []string{digestOf(layer)}}) || c.Created.Unix() != seconds {
			t.Errorf("%s: %+v %+v", arch, m, c)
		}
		content := untar(t, bytes.NewReader(layer), seconds)
		if string(content["agentchat"]) != "for "+arch || len(content) != 5 ||
			bytes.Count(content["etc/ssl/certs/ca-certificates.crt"], []byte("BEGIN CERTIFICATE")) < 100 {
			t.Errorf("%s: %d files", arch, len(content))
		}
		if c.Config.User != "65532:65532" || !reflect.DeepEqual(c.Config.Entrypoint, []string{"/agentchat"}) ||
			!reflect.DeepEqual(c.Config.Cmd, []string{"serve"}) || c.Config.StopSignal != "SIGTERM" ||
			len(c.Config.Env) != 4 || len(c.Config.ExposedPorts) != 4 || c.Config.Labels[labels+"licenses"] != "Apache-2.0" ||
			c.Config.Labels[labels+"version"] != "0.2.0" || c.Config.Labels[labels+"revision"] != "abc" {
			t.Errorf("%s: %+v", arch, c.Config)
		}
	}
}

func TestUnknownInstructionsAreRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no empty image": "FROM debian\n", "a volume": "\nFROM scratch AS empty\nVOLUME /data\n", "a shell's form": "\nFROM scratch AS empty\nCMD serve\n",
	} {
		if s, err := readSettings(text); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
