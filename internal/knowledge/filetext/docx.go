package filetext

import (
	"encoding/xml"
	"path"
	"strings"
)

// paragraph is a paragraph that is being read.
type paragraph struct {
	text  strings.Builder
	level int    // of a heading, from 1; 0 if unknown; -1 if it is not a heading, whatever its style
	style string // the id of its style
	list  int    // the nesting depth of its list
}

// wordReader reads the parts of a Word document.
type wordReader struct {
	out    flow
	styles map[string]style
	// names holds the names of the open elements.
	names      []string
	skipped    int // the depth within an element that is not read
	paragraphs []*paragraph
	// note is the label of the open footnote, until its text begins.
	note string
}

// readDocx returns the text of a Word document, with its footnotes at the end.
func readDocx(data []byte) (string, error) {
	a, err := openArchive(data)
	if err != nil {
		return "", err
	}
	document, err := a.document()
	if err != nil {
		return "", err
	}
	dir := path.Dir(document)
	r := wordReader{}
	if r.styles, err = a.styles(path.Join(dir, "styles.xml")); err != nil {
		return "", err
	}
	if !a.has(document) {
		return "", refuse(damaged)
	}
	for _, name := range []string{document, path.Join(dir, "footnotes.xml"),
		path.Join(dir, "endnotes.xml")} {
		r.names, r.paragraphs, r.skipped = nil, nil, 0
		if err := a.each(name, r.token); err != nil {
			return "", err
		}
		for len(r.out.tables) > 0 {
			r.out.endTable()
		}
	}
	return r.out.out.String(), nil
}

// document returns the name of the main part of the archive.
func (a *archive) document() (string, error) {
	name := "word/document.xml"
	err := a.each("_rels/.rels", func(token xml.Token) error {
		if start, ok := token.(xml.StartElement); ok &&
			strings.HasSuffix(attribute(start, "Type"), "/officeDocument") {
			name = strings.TrimPrefix(path.Clean("/"+attribute(start, "Target")), "/")
		}
		return nil
	})
	return name, err
}

func (r *wordReader) token(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		name := token.Name.Local
		switch {
		case r.skipped > 0:
			r.skipped++
			return nil
		case name == "Fallback" || name == "moveFrom" || name == "del": // duplicated elsewhere, or deleted
			r.skipped = 1
			return nil
		}
		r.begin(token, r.parent())
		r.names = append(r.names, name)
	case xml.EndElement:
		if r.skipped > 0 {
			r.skipped--
			return nil
		}
		r.names = r.names[:len(r.names)-1]
		r.close(token.Name.Local)
	case xml.CharData:
		if p := r.paragraph(); p != nil && r.skipped == 0 && r.parent() == "t" {
			p.text.Write(token)
		}
	}
	return r.out.err
}

func (r *wordReader) parent() string {
	if len(r.names) == 0 {
		return ""
	}
	return r.names[len(r.names)-1]
}

func (r *wordReader) paragraph() *paragraph {
	if len(r.paragraphs) == 0 {
		return nil
	}
	return r.paragraphs[len(r.paragraphs)-1]
}

func (r *wordReader) begin(start xml.StartElement, parent string) {
	value := attribute(start, "val")
	switch start.Name.Local {
	case "p":
		if parent != "txBody" { // paragraphs of drawings belong to another format
			r.paragraphs = append(r.paragraphs, &paragraph{})
		}
	case "tbl":
		r.out.beginTable()
	case "tr":
		r.out.beginRow()
	case "tc":
		r.out.beginCell(1, 1)
	case "gridSpan":
		if t := r.out.table(); t != nil && parent == "tcPr" {
			t.across = max(1, min(number(value), 100))
		}
	case "vMerge":
		// A cell over several rows is repeated in each of them.
		if t := r.out.table(); t != nil && parent == "tcPr" && value != "restart" && !t.layout {
			if above := t.above(); len(above) <= maxRepeated {
				t.text.WriteString(above)
			}
		}
	case "footnote", "endnote":
		if attribute(start, "type") == "" { // other types are separator lines
			r.note = footnote(start) + ": "
		}
	default:
		if p := r.paragraph(); p != nil {
			p.begin(start, parent, value)
		}
	}
}

func (p *paragraph) begin(start xml.StartElement, parent, value string) {
	switch start.Name.Local {
	case "pStyle":
		p.style = value
	case "outlineLvl":
		if p.level = number(value) + 1; p.level > 9 {
			p.level = -1
		}
	case "numPr":
		p.list = max(p.list, 1)
	case "ilvl":
		p.list = max(1, min(number(value)+1, 9))
	case "numId":
		if value == "0" {
			p.list = -1
		}
	case "tab":
		if parent == "r" {
			p.text.WriteByte('\t')
		}
	case "br", "cr":
		p.text.WriteByte('\n')
	case "noBreakHyphen":
		p.text.WriteByte('-')
	case "footnoteReference", "endnoteReference":
		p.text.WriteString(footnote(start))
	}
}

// footnote returns the mark of a footnote, or of an endnote, as Markdown.
func footnote(start xml.StartElement) string {
	if strings.HasPrefix(start.Name.Local, "endnote") {
		return "[^e" + attribute(start, "id") + "]"
	}
	return "[^" + attribute(start, "id") + "]"
}

func (r *wordReader) close(name string) {
	switch name {
	case "p":
		if p := r.paragraph(); p != nil && r.parent() != "txBody" {
			r.paragraphs = r.paragraphs[:len(r.paragraphs)-1]
			r.put(p)
		}
	case "tc":
		r.out.endCell()
	case "tbl":
		r.out.endTable()
	case "footnote", "endnote":
		r.note = ""
	}
}

func (r *wordReader) put(p *paragraph) {
	s := r.styles[p.style]
	if s.contents {
		return // a table of contents repeats the headings
	}
	b := block{text: p.text.String()}
	if strings.TrimSpace(b.text) == "" {
		return
	}
	level, list := p.level, p.list
	if level == 0 {
		level = s.level
	}
	if list == 0 {
		list = s.list
	}
	switch {
	case r.note != "":
		b.text, r.note = r.note+b.text, ""
	case level > 0:
		b.level = level
	case list > 0:
		b.marker, b.depth = "-", list
	}
	r.out.put(b)
}

// style holds the properties of a style's paragraphs.
type style struct {
	level    int // of headings, from 1; 0 for others
	list     int // the nesting depth of their list
	contents bool
	basedOn  string
}

// styles reads the styles of a document, by id. Ids are in the language of the program that made
// them.
func (a *archive) styles(name string) (map[string]style, error) {
	out := map[string]style{}
	var id string
	err := a.each(name, func(token xml.Token) error {
		start, ok := token.(xml.StartElement)
		if !ok {
			return nil
		}
		value := attribute(start, "val")
		s := out[id]
		switch start.Name.Local {
		case "style":
			id = attribute(start, "styleId")
			return nil
		case "name":
			// The names of built-in styles are English.
			kind, rest, _ := strings.Cut(strings.ToLower(value), " ")
			switch {
			case kind == "title" && rest == "":
				s.level = 1
			case kind == "toc" && len(rest) == 1:
				s.contents = true
			case kind == "heading" && len(rest) == 1 && rest >= "1" && rest <= "9":
				s.level = number(rest)
			}
		case "basedOn":
			s.basedOn = value
		case "outlineLvl":
			if s.level = number(value) + 1; s.level > 9 {
				s.level = -1
			}
		case "numPr":
			s.list = max(s.list, 1)
		case "ilvl":
			s.list = max(1, min(number(value)+1, 9))
		default:
			return nil
		}
		if id != "" {
			out[id] = s
		}
		return nil
	})
	for id, s := range out {
		base := s.basedOn
		for range 10 { // basedOn may form a cycle
			from, ok := out[base]
			if !ok || s.level != 0 && s.list != 0 {
				break
			}
			if s.level == 0 {
				s.level = from.level
			}
			if s.list == 0 {
				s.list = from.list
			}
			base = from.basedOn
		}
		out[id] = s
	}
	return out, err
}

// attribute returns the value of an attribute, by its name without a namespace.
func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
