package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"maps"
	"slices"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const mediaTypes = "application/vnd.oci.image."

// descriptor points to a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type index struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations"`
}

type configuration struct {
	platform
	Created time.Time `json:"created"`
	Config  settings  `json:"config"`
	RootFS  rootFS    `json:"rootfs"`
}

type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

// layout collects the images of a release, one per architecture.
type layout struct {
	blobs   map[string][]byte
	images  []descriptor
	created time.Time
}

// put adds a blob.
func (l *layout) put(kind string, blob []byte) descriptor {
	digest := digestOf(blob)
	l.blobs[digest] = blob
	return descriptor{MediaType: mediaTypes + kind, Digest: digest, Size: len(blob)}
}

// putJSON adds a blob in JSON. encoding/json sorts maps.
func (l *layout) putJSON(kind string, v any) (descriptor, error) {
	text, err := json.Marshal(v)
	return l.put(kind, text), err
}

// add adds the image of an architecture. Its one layer has the binary and the certificate
// authorities.
func (l *layout) add(arch string, binary []byte, s settings) error {
	var files bytes.Buffer
	if err := l.writeTar(&files, []file{
		{"agentchat", 0o755, binary},
		{"etc/", 0o755, nil},
		{"etc/ssl/", 0o755, nil},
		{"etc/ssl/certs/", 0o755, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, authorities()},
	}); err != nil {
		return err
	}
	var packed bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // fails only for an unknown level
	_, _ = zip.Write(files.Bytes())                              // a buffer accepts everything
	if err := zip.Close(); err != nil {
		return err
	}
	runsOn := platform{Architecture: arch, OS: "linux"}
	config, err := l.putJSON("config.v1+json", configuration{
		platform: runsOn,
		Created:  l.created,
		Config:   s,
		RootFS:   rootFS{"layers", []string{digestOf(files.Bytes())}},
	})
	if err != nil {
		return err
	}
	image, err := l.putJSON("manifest.v1+json", manifest{
		SchemaVersion: 2,
		MediaType:     mediaTypes + "manifest.v1+json",
		Config:        config,
		Layers:        []descriptor{l.put("layer.v1.tar+gzip", packed.Bytes())},
		Annotations:   s.Labels,
	})
	image.Platform = &runsOn
	l.images = append(l.images, image)
	return err
}

// write writes the layout, whose one image has a name.
func (l *layout) write(out io.Writer, name string) error {
	// The layout's index points to an index of all architectures, from which tools choose.
	all, err := l.putJSON("index.v1+json", index{2, mediaTypes + "index.v1+json", l.images})
	if err != nil {
		return err
	}
	all.Annotations = map[string]string{labels + "ref.name": name}
	top, err := json.Marshal(index{2, mediaTypes + "index.v1+json", []descriptor{all}})
	if err != nil {
		return err
	}
	files := []file{
		{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{"index.json", 0o644, top},
		{"blobs/", 0o755, nil},
		{"blobs/sha256/", 0o755, nil},
	}
	for _, digest := range slices.Sorted(maps.Keys(l.blobs)) {
		files = append(files, file{"blobs/sha256/" + digest[len("sha256:"):], 0o644, l.blobs[digest]})
	}
	return l.writeTar(out, files)
}

// file is a file, or a directory if its name ends in a slash.
type file struct {
	name string
	mode int64
	text []byte
}

// writeTar writes files that belong to root and have the time of the commit.
func (l *layout) writeTar(out io.Writer, files []file) error {
	archive := tar.NewWriter(out)
	for _, f := range files {
		// Without a type, tar finds it by the slash.
		err := archive.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: l.created})
		if err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}

// authorities returns the certificate authorities in PEM, from the module that the binary contains
// as well. A file cannot hold the constraints that some of them have: these are left out.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer accepts everything
		}
	}
	return out.Bytes()
}

func digestOf(blob []byte) string {
	sum := sha256.Sum256(blob)
	return "sha256:" + hex.EncodeToString(sum[:])
}
