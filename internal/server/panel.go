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
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
)

const (
	// panelPage is the built panel's page, explorerPage the GraphQL explorer's; placeholderPage says that there is none.
	panelPage       = "index.html"
	explorerPage    = "explorer.html"
	placeholderPage = "placeholder.html"
	// panelReadTimeout bounds how long a request's body, which nothing here reads, may keep a connection.
	panelReadTimeout = 10 * time.Second
	// revalidated is for the page, whose address stays; immutable is for the assets, whose names change with their content.
	revalidated = "no-cache"
	immutable   = "public, max-age=31536000, immutable"
)

// panelPages are the first segments of the panel's own addresses, beside "/": the page itself finds out what to show there.
// They are listed, rather than being whatever is left over, so that a mistyped API address gets the API's 404.
var panelPages = []string{"login", "signup", "agents", "conversations", "exports", "credits", "settings", "api-docs"}

// explorerAddress is a page of its own, with a policy of its own; nothing lies below it.
const explorerAddress = "/explorer"

// The policies let a page load and call nothing but its own origin, and run no inline script. The explorer's answers hold
// whatever strangers wrote into conversations, and GraphiQL is much code of others: its page also has no fonts, no forms to
// submit and no workers. Its styles are inline because its editor sizes and places itself with style attributes, and its icons
// of faults in a document are data: images of its style sheet.
const (
	panelPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
	explorerPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// panelHeaders go with every file of the panel, beside its policy.
var panelHeaders = map[string]string{
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "same-origin",
	"Permissions-Policy":         "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Cross-Origin-Opener-Policy": "same-origin",
}

// contentTypes are the files that a build makes. The host's own tables are not asked: they differ between machines.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".map": "application/json",
	".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".ico": "image/x-icon",
	".woff": "font/woff", ".woff2": "font/woff2", ".wasm": "application/wasm",
}

// encodings are those that a build compresses to, the smallest first, with the endings of their files.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// panel serves the control panel's files from memory, each as the build compressed it.
type panel struct {
	page     panelFile
	explorer panelFile
	assets   map[string]panelFile // by URL path
	notFound http.Handler
}

type panelFile struct {
	name         string
	missing      bool // the placeholder stands for it
	contentType  string
	cacheControl string
	policy       string
	plain        variant
	encoded      map[string]variant // by the name of the encoding
}

// variant is one form of a file, with a strong ETag of its own.
type variant struct {
	etag    string
	content []byte
}

func newPanel(files fs.FS, notFound http.Handler) (*panel, error) {
	p := &panel{assets: map[string]panelFile{}, notFound: notFound}
	var err error
	if p.page, err = readPage(files, panelPage, panelPolicy); err != nil {
		return nil, err
	}
	if p.explorer, err = readPage(files, explorerPage, explorerPolicy); err != nil {
		return nil, err
	}
	err = fs.WalkDir(files, "assets", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "assets" {
			return fs.SkipAll // the placeholder needs none
		}
		if err != nil || entry.IsDir() || isEncoded(name) {
			return err
		}
		p.assets["/"+name], err = readPanelFile(files, name, immutable, panelPolicy)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("server: the panel's assets: %w", err)
	}
	return p, nil
}

// readPage reads a page of the build, or the placeholder in its stead.
func readPage(files fs.FS, name, policy string) (panelFile, error) {
	page, err := readPanelFile(files, name, revalidated, policy)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = readPanelFile(files, placeholderPage, "no-store", policy)
		page.missing = true
	}
	if err != nil {
		return panelFile{}, fmt.Errorf("server: the panel has no %s: %w", name, err)
	}
	return page, nil
}

func isEncoded(name string) bool {
	for _, encoding := range encodings {
		if strings.HasSuffix(name, encoding.ending) {
			return true
		}
	}
	return false
}

func readPanelFile(files fs.FS, name, cacheControl, policy string) (panelFile, error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return panelFile{}, err
	}
	contentType, ok := contentTypes[strings.ToLower(path.Ext(name))]
	if !ok {
		contentType = "application/octet-stream"
	}
	file := panelFile{
		name: name, contentType: contentType, cacheControl: cacheControl, policy: policy,
		plain: newVariant(content), encoded: map[string]variant{},
	}
	for _, encoding := range encodings {
		compressed, err := fs.ReadFile(files, name+encoding.ending)
		if errors.Is(err, fs.ErrNotExist) {
			continue // too small to gain by it
		}
		if err != nil {
			return panelFile{}, err
		}
		file.encoded[encoding.name] = newVariant(compressed)
	}
	return file, nil
}

func newVariant(content []byte) variant {
	sum := sha256.Sum256(content)
	return variant{`"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, content}
}

// mount puts the panel under its addresses.
func (p *panel) mount(r chi.Router) {
	r.Handle("/", http.HandlerFunc(p.servePage))
	for _, name := range panelPages {
		r.Handle("/"+name, http.HandlerFunc(p.servePage))
		r.Handle("/"+name+"/*", http.HandlerFunc(p.servePage))
	}
	for _, address := range []string{explorerAddress, explorerAddress + "/"} {
		r.Handle(address, http.HandlerFunc(p.explorer.servePage))
	}
	r.Handle("/assets/*", http.HandlerFunc(p.serveAsset))
}

// servePage answers every address of the panel with its one page; one with a file's ending, or that is not in its simplest
// form but for a slash at its end, is none.
func (p *panel) servePage(w http.ResponseWriter, r *http.Request) {
	simplest := path.Clean(r.URL.Path)
	if r.URL.RawPath != "" || r.URL.Path != simplest && r.URL.Path != simplest+"/" || path.Ext(simplest) != "" {
		p.notFound.ServeHTTP(w, r)
		return
	}
	p.page.servePage(w, r)
}

func (p *panel) serveAsset(w http.ResponseWriter, r *http.Request) {
	file, ok := p.assets[r.URL.Path]
	if !ok || r.URL.RawPath != "" {
		p.notFound.ServeHTTP(w, r)
		return
	}
	if refuseBody(w, r) {
		file.serve(w, r)
	}
}

// refuseBody lets GET and HEAD through, and does not wait long for what they should not send.
func refuseBody(w http.ResponseWriter, r *http.Request) bool {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(panelReadTimeout))
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "The panel answers GET and HEAD only.", http.StatusMethodNotAllowed)
	return false
}

// servePage serves a page. Without a build it says so, with 503.
func (f panelFile) servePage(w http.ResponseWriter, r *http.Request) {
	if !refuseBody(w, r) {
		return
	}
	if !f.missing {
		f.serve(w, r)
		return
	}
	header := w.Header()
	f.setHeader(header)
	header.Set("Content-Length", strconv.Itoa(len(f.plain.content)))
	w.WriteHeader(http.StatusServiceUnavailable)
	if r.Method != http.MethodHead {
		_, _ = w.Write(f.plain.content)
	}
}

func (f panelFile) setHeader(header http.Header) {
	for name, value := range panelHeaders {
		header.Set(name, value)
	}
	header.Set("Content-Security-Policy", f.policy)
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cacheControl)
}

// serve answers GET and HEAD with the smallest form that the client takes, conditional requests and ranges included.
func (f panelFile) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	f.setHeader(header)
	chosen := f.plain
	if len(f.encoded) > 0 {
		header.Set("Vary", "Accept-Encoding")
		for _, encoding := range encodings {
			if form, ok := f.encoded[encoding.name]; ok && accepts(r.Header.Values("Accept-Encoding"), encoding.name) {
				chosen = form
				header.Set("Content-Encoding", encoding.name)
				break
			}
		}
	}
	header.Set("ETag", chosen.etag)
	if r.Header.Get("Range") == "" && r.Header.Get("If-Match") == "" {
		// ServeContent leaves the length of encoded content out.
		header.Set("Content-Length", strconv.Itoa(len(chosen.content)))
	}
	http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(chosen.content))
}

// accepts tells whether an Accept-Encoding names an encoding, with a weight other than 0 (RFC 9110, 12.5.3). What is only
// covered by * is not taken: the plain form is never wrong.
func accepts(values []string, encoding string) bool {
	for _, value := range values {
		for element := range strings.SplitSeq(value, ",") {
			name, parameters, _ := strings.Cut(element, ";")
			if !strings.EqualFold(strings.TrimSpace(name), encoding) {
				continue
			}
			key, weight, _ := strings.Cut(strings.TrimSpace(parameters), "=")
			if !strings.EqualFold(strings.TrimSpace(key), "q") {
				return true
			}
			q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
			return err == nil && q > 0
		}
	}
	return false
}
