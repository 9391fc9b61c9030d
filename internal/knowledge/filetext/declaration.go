package filetext

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/encoding/htmlindex"
)

// maxHead is the size of the part of a page that can declare its encoding, in bytes.
const maxHead = 64 << 10

// declaration is an encoding that a page declares.
type declaration struct {
	charset
	label string // as written
}

// declaredIn returns the encodings that a page declares, in order of precedence. As in the prescan of
// the HTML Standard, elements count before an XML declaration, and unknown labels do not count; but it
// looks into the whole head, because many pages declare their encoding late.
func declaredIn(data []byte) []declaration {
	data = data[:min(len(data), maxHead)]
	labels := metaLabels(data)
	if start := bytes.TrimLeft(data, "\xef\xbb\xbf \t\r\n"); bytes.HasPrefix(start, []byte("<?xml")) {
		declaration, _, _ := bytes.Cut(start, []byte("?>"))
		labels = append(labels, valueOf(string(declaration), "encoding"))
	}
	var out []declaration
	for _, label := range labels {
		enc, err := htmlindex.Get(label)
		if err != nil {
			continue
		}
		name, err := htmlindex.Name(enc)
		switch {
		case err != nil || name == "replacement":
			continue
		case strings.HasPrefix(name, "utf-16"): // it could not be read as ASCII
			name, enc = plainUTF8.name, plainUTF8.enc
		case name == "x-user-defined":
			name, enc = encodingOf("windows-1252")
		}
		if !slices.ContainsFunc(out, func(d declaration) bool { return d.name == name }) {
			out = append(out, declaration{charset{name, enc}, strings.TrimSpace(label)})
		}
	}
	return out
}

// metaLabels returns the labels in the elements of a head.
func metaLabels(data []byte) (labels []string) {
	in := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch in.Next() {
		case html.ErrorToken:
			return labels
		case html.StartTagToken, html.SelfClosingTagToken:
			token := in.Token()
			if token.DataAtom == atom.Body {
				return labels
			}
			if token.DataAtom != atom.Meta {
				continue
			}
			n := &html.Node{Attr: token.Attr}
			label := attr(n, "charset")
			if strings.EqualFold(attr(n, "http-equiv"), "content-type") && label == "" {
				label = valueOf(attr(n, "content"), "charset")
			}
			labels = append(labels, label)
		}
	}
}

// valueOf returns the value that follows a name and an equals sign, with or without quotation marks;
// empty without one.
func valueOf(text, name string) string {
	lower := lowerASCII(text)
	for {
		at := strings.Index(lower, name)
		if at < 0 {
			return ""
		}
		text, lower = text[at+len(name):], lower[at+len(name):]
		value, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n\f"), "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\r\n\f")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			value, _, _ = strings.Cut(value[1:], value[:1])
			return value
		}
		value, _, _ = strings.Cut(value, ";")
		return strings.TrimSpace(value)
	}
}

// lowerASCII returns a text of the same length with small ASCII letters.
func lowerASCII(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] += 'a' - 'A'
		}
	}
	return string(out)
}
