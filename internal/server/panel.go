package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

const (
	// panelPage is the built panel's page; placeholderPage stands in for it as long as the panel is not built.
	panelPage       = "index.html"
	placeholderPage = "placeholder.html"
	// panelReadTimeout bounds how long a request's body, which nothing here reads, may keep a connection.
	panelReadTimeout = 10 * time.Second
)

// panelHeaders go with every file of the panel. The policy lets the page load and call nothing but its own origin.
var panelHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "same-origin",
	"Permissions-Policy":         "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cache-Control":              "no-cache",
}

// contentTypes are the files that a build makes. The host's own tables are not asked: they differ between machines.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".map": "application/json",
	".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".ico": "image/x-icon",
	".woff": "font/woff", ".woff2": "font/woff2", ".wasm": "application/wasm",
}

// panel serves the control panel's files from memory, with a strong ETag each.
type panel struct {
	files    map[string]panelFile // by URL path
	notFound http.Handler
}

type panelFile struct {
	name        string
	contentType string
	etag        string
	content     []byte
}

func newPanel(files fs.FS) (*panel, error) {
	p := &panel{files: map[string]panelFile{}}
	page, err := readPanelFile(files, panelPage)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = readPanelFile(files, placeholderPage)
	}
	if err != nil {
		return nil, fmt.Errorf("server: the panel has no page: %w", err)
	}
	p.files["/"] = page
	err = fs.WalkDir(files, "assets", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "assets" {
			return fs.SkipAll // the placeholder needs none
		}
		if err != nil || entry.IsDir() {
			return err
		}
		p.files["/"+name], err = readPanelFile(files, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("server: the panel's assets: %w", err)
	}
	return p, nil
}

func readPanelFile(files fs.FS, name string) (panelFile, error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return panelFile{}, err
	}
	contentType, ok := contentTypes[strings.ToLower(path.Ext(name))]
	if !ok {
		contentType = "application/octet-stream"
	}
	sum := sha256.Sum256(content)
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return panelFile{name: name, contentType: contentType, etag: etag, content: content}, nil
}

// ServeHTTP answers GET and HEAD of a file, conditional requests and ranges included.
func (p *panel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := p.files[r.URL.Path]
	if !ok || r.URL.RawPath != "" {
		p.notFound.ServeHTTP(w, r)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(panelReadTimeout))
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "The panel answers GET and HEAD only.", http.StatusMethodNotAllowed)
		return
	}
	header := w.Header()
	for name, value := range panelHeaders {
		header.Set(name, value)
	}
	header.Set("Content-Type", file.contentType)
	header.Set("ETag", file.etag)
	http.ServeContent(w, r, file.name, time.Time{}, bytes.NewReader(file.content))
}
