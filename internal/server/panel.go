package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"agentchat/internal/httpapi"
)

const (
	// panelPage is the built panel's page, explorerPage the GraphQL explorer's. placeholderPage
	// replaces a page that was not built.
	panelPage       = "index.html"
	explorerPage    = "explorer.html"
	placeholderPage = "placeholder.html"
	// pagesFile has the first segments of the panel's addresses, one a line, in addition to "/"; the
	// page itself decides what to show. They are listed so that a mistyped address is a 404: the API's
	// for software, the panel's for people.
	pagesFile = "pages.txt"
	// revalidated is for the page, whose address never changes; immutable is for the assets, whose
	// names change with their content.
	revalidated = "no-cache"
	immutable   = "public, max-age=31536000, immutable"
)

// explorerAddress is a separate page with its own policy and no pages below it.
const explorerAddress = "/explorer"

// The policies let a page load and call only its own origin, and run no inline script. The explorer
// shows what strangers wrote in conversations, and GraphiQL previews the images that they name: its
// policy blocks them. GraphiQL's editor needs inline styles to size and place itself, and its style
// sheet contains its fonts and icons as data.
const (
	panelPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	explorerPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// panelHeaders are sent with every file of the panel, in addition to its policy.
var panelHeaders = map[string]string{
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "same-origin",
	"Permissions-Policy":         "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Cross-Origin-Opener-Policy": "same-origin",
}

// contentTypes are the types of the files in a build. The host's own tables are not used: they
// differ between machines.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".json": "application/json", ".map": "application/json",
	".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".ico": "image/x-icon",
	".woff": "font/woff", ".woff2": "font/woff2", ".wasm": "application/wasm",
}

// encodings are the encodings that a build compresses to, the smallest first, with their file
// endings.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// panel serves the control panel's files as the build compressed them, from the binary: none of
// them is copied into the heap.
type panel struct {
	page     panelFile
	pages    []string
	explorer panelFile
	assets   map[string]panelFile // by URL path
	notFound http.Handler
}

type panelFile struct {
	name         string
	missing      bool // this is the placeholder
	contentType  string
	cacheControl string
	policy       string
	plain        variant
	encoded      map[string]variant // by the name of the encoding
}

// variant is one encoding of a file, with its own strong ETag.
type variant struct {
	etag    string
	content io.ReaderAt
	size    int64
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
	pages, err := fs.ReadFile(files, pagesFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the placeholder has none
		return nil, fmt.Errorf("server: the panel's pages: %w", err)
	}
	p.pages = strings.Fields(string(pages))
	err = fs.WalkDir(files, "assets", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "assets" {
			return fs.SkipAll // the placeholder has no assets
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

// readPage reads a page of the build, or the placeholder if there is no build.
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
	plain, err := readVariant(files, name)
	if err != nil {
		return panelFile{}, err
	}
	contentType, ok := contentTypes[strings.ToLower(path.Ext(name))]
	if !ok {
		contentType = "application/octet-stream"
	}
	file := panelFile{
		name: name, contentType: contentType, cacheControl: cacheControl, policy: policy,
		plain: plain, encoded: map[string]variant{},
	}
	for _, encoding := range encodings {
		compressed, err := readVariant(files, name+encoding.ending)
		if errors.Is(err, fs.ErrNotExist) {
			continue // too small to be worth compressing
		}
		if err != nil {
			return panelFile{}, err
		}
		file.encoded[encoding.name] = compressed
	}
	return file, nil
}

// readVariant leaves the file open: an embedded one holds nothing.
func readVariant(files fs.FS, name string) (variant, error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return variant{}, err
	}
	file, err := files.Open(name)
	if err != nil {
		return variant{}, err
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		return variant{}, fmt.Errorf("server: the panel's %s cannot be read in parts", name)
	}
	return variant{httpapi.ETag(content), at, int64(len(content))}, nil
}

// open returns a reader of its own.
func (v variant) open() *io.SectionReader { return io.NewSectionReader(v.content, 0, v.size) }

// mount routes the panel's addresses.
func (p *panel) mount(r chi.Router) {
	r.Handle("/", http.HandlerFunc(p.servePage))
	for _, name := range p.pages {
		r.Handle("/"+name, http.HandlerFunc(p.servePage))
		r.Handle("/"+name+"/*", http.HandlerFunc(p.servePage))
	}
	for _, address := range []string{explorerAddress, explorerAddress + "/"} {
		r.Handle(address, http.HandlerFunc(p.explorer.servePage))
	}
	r.Handle("/assets/*", http.HandlerFunc(p.serveAsset))
}

// servePage answers every address of the panel with its one page.
func (p *panel) servePage(w http.ResponseWriter, r *http.Request) {
	if !isPageAddress(r) {
		p.notFound.ServeHTTP(w, r)
		return
	}
	p.page.servePage(w, r)
}

// notForPeople are the first segments of addresses that are not pages, however they are asked for.
var notForPeople = map[string]bool{"v1": true, "graphql": true, "assets": true}

// serveUnknown answers an unknown address. A browser that asks for a page gets the panel, which
// shows that the page does not exist; every other client gets the API's 404.
func (p *panel) serveUnknown(w http.ResponseWriter, r *http.Request) {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !read || !wantsPage(r) || notForPeople[first] || !isPageAddress(r) {
		p.notFound.ServeHTTP(w, r)
		return
	}
	if p.page.missing {
		p.page.servePage(w, r)
		return
	}
	chosen := p.page.choose(w, r)
	header := w.Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-store")
	chosen.write(w, r, http.StatusNotFound)
}

// wantsPage reports whether the client names text/html among what it accepts, as browsers do for
// pages, and only for pages.
func wantsPage(r *http.Request) bool {
	return httpapi.Weight(r.Header["Accept"], "text/html") > 0
}

// isPageAddress reports whether an address may be a page's: one in its simplest form (a trailing
// slash is fine), without a file extension.
func isPageAddress(r *http.Request) bool {
	simplest := path.Clean(r.URL.Path)
	return r.URL.RawPath == "" && (r.URL.Path == simplest || r.URL.Path == simplest+"/") && path.Ext(simplest) == ""
}

func (p *panel) serveAsset(w http.ResponseWriter, r *http.Request) {
	file, ok := p.assets[r.URL.Path]
	if !ok || r.URL.RawPath != "" {
		p.notFound.ServeHTTP(w, r)
		return
	}
	if httpapi.ReadOnly(w, r) {
		file.serve(w, r)
	}
}

// servePage serves a page. Without a build it serves the placeholder with 503.
func (f panelFile) servePage(w http.ResponseWriter, r *http.Request) {
	if !httpapi.ReadOnly(w, r) {
		return
	}
	if !f.missing {
		f.serve(w, r)
		return
	}
	f.setHeader(w.Header())
	f.plain.write(w, r, http.StatusServiceUnavailable)
}

// write answers GET and HEAD with a status of its own, so without conditions and ranges.
func (v variant) write(w http.ResponseWriter, r *http.Request, status int) {
	w.Header().Set("Content-Length", strconv.FormatInt(v.size, 10))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, v.open())
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

// serve answers GET and HEAD with the smallest encoding that the client accepts, including
// conditional requests and ranges.
func (f panelFile) serve(w http.ResponseWriter, r *http.Request) {
	chosen := f.choose(w, r)
	header := w.Header()
	header.Set("ETag", chosen.etag)
	if r.Header.Get("Range") == "" && r.Header.Get("If-Match") == "" {
		// ServeContent omits the length of encoded content.
		header.Set("Content-Length", strconv.FormatInt(chosen.size, 10))
	}
	http.ServeContent(w, r, f.name, time.Time{}, chosen.open())
}

// choose returns the smallest encoding that the client accepts, and sets the headers of the file
// and of the encoding.
func (f panelFile) choose(w http.ResponseWriter, r *http.Request) variant {
	header := w.Header()
	f.setHeader(header)
	chosen := f.plain
	if len(f.encoded) > 0 {
		header.Set("Vary", "Accept-Encoding")
		for _, encoding := range encodings {
			if form, ok := f.encoded[encoding.name]; ok && httpapi.Weight(r.Header["Accept-Encoding"], encoding.name) > 0 {
				chosen = form
				header.Set("Content-Encoding", encoding.name)
				break
			}
		}
	}
	return chosen
}
