package filetext

import (
	"encoding/xml"
	"path"
	"slices"
	"strings"
)

// relations reads the addresses and the names of parts that the ids in a part refer to.
func (a *archive) relations(part string) (map[string]string, error) {
	dir, file := path.Split(part)
	out := map[string]string{}
	err := a.each(path.Join(dir, "_rels", file+".rels"), func(token xml.Token) error {
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "Relationship" {
			return nil
		}
		target := attribute(start, "Target")
		if attribute(start, "TargetMode") != "External" {
			if !strings.HasPrefix(target, "/") {
				target = path.Join("/", dir, target)
			}
			target = strings.TrimPrefix(path.Clean(target), "/")
		}
		out[attribute(start, "Id")] = target
		return nil
	})
	return out, err
}

// evenPages reports whether even pages have their own headers.
func (a *archive) evenPages(settings string) (even bool, err error) {
	err = a.each(settings, func(token xml.Token) error {
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "evenAndOddHeaders" {
			even = isOn(attribute(start, "val"))
		}
		return nil
	})
	return even, err
}

// frames collects the headers and footers that pages show.
type frames struct {
	headers, footers []string // names of parts
	even             bool
	// section holds the parts of the open section, and first those of its first page.
	section, first frame
	hasFirst       bool
}

type frame struct{ headers, footers []string }

// begin begins an element of a section's properties.
func (f *frames) begin(start xml.StartElement, related map[string]string) {
	to := &f.section
	switch kind := attribute(start, "type"); {
	case start.Name.Local == "titlePg":
		f.hasFirst = isOn(attribute(start, "val"))
		return
	case start.Name.Local == "sectPr":
		f.section, f.first, f.hasFirst = frame{}, frame{}, false
		return
	case kind == "even" && !f.even:
		return
	case kind == "first":
		to = &f.first
	}
	name := related[attribute(start, "id")]
	if start.Name.Local == "headerReference" {
		to.headers = append(to.headers, name)
	} else {
		to.footers = append(to.footers, name)
	}
}

// end ends a section.
func (f *frames) end() {
	if f.hasFirst {
		f.headers = append(f.headers, f.first.headers...)
		f.footers = append(f.footers, f.first.footers...)
	}
	f.headers = append(f.headers, f.section.headers...)
	f.footers = append(f.footers, f.section.footers...)
}

// framed returns the text between its headers and footers, each distinct text once.
func (r *wordReader) framed() (string, error) {
	body := r.out.out.String()
	headers, err := r.texts(r.frames.headers)
	if err != nil {
		return "", err
	}
	footers, err := r.texts(r.frames.footers)
	if err != nil {
		return "", err
	}
	return strings.Join(slices.Concat(headers, []string{body}, footers), "\n\n"), nil
}

// texts returns the distinct texts of parts.
func (r *wordReader) texts(names []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		r.out = flow{left: r.out.left}
		if err := r.read(name); err != nil {
			return nil, err
		}
		if text := r.out.out.String(); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out, nil
}
