package filetext

import (
	"encoding/xml"
	"path"
	"strings"
)

// paragraph is a paragraph that is being read.
type paragraph struct {
	text  line
	level int    // of a heading, from 1; 0 if unknown; -1 if it is not a heading, whatever its style
	style string // the id of its style
	num   string // the id of its list
	at    int    // the level in the list, from 0; -1 if unknown
	gone  bool   // its end is deleted or hidden
}

// wordReader reads the parts of a Word document.
type wordReader struct {
	out     flow
	archive *archive
	// inserted means that the document is inserted in another one.
	inserted bool
	styles   map[string]style
	numbers  map[string]*numberedPart
	related  map[string]string // by the ids of the part
	// names holds the names of the open elements.
	names      []string
	skipped    int // the depth within an element that is not read
	paragraphs []*paragraph
	runs       []run // the open runs, and what sets their height
	fields     []*field
	unread     int    // the number of open fields that are not read
	tick       string // of the open tick box, until it is written
	words      int    // the number of open glossed words
	glosses    int    // the number of open glosses
	hiddenRow  bool   // the open row of a table is hidden or deleted
	described  bool   // the open drawing has a description
	// note is the label of the open footnote, until its text begins.
	note   string
	frames frames
}

// readDocx returns the text of a Word document.
func readDocx(data []byte, left *left) (string, error) {
	a, err := openArchive(data)
	if err != nil {
		return "", err
	}
	return readWord(a, left, false)
}

// readWord returns the text of a document, which may be inserted in another one: headers, text,
// notes and footers.
func readWord(a *archive, left *left, inserted bool) (string, error) {
	document, err := a.document()
	if err != nil {
		return "", err
	}
	dir := path.Dir(document)
	r := wordReader{archive: a, inserted: inserted, out: flow{left: left}}
	if r.styles, err = a.styles(path.Join(dir, "styles.xml")); err != nil {
		return "", err
	}
	if r.numbers, err = a.numbering(path.Join(dir, "numbering.xml"), r.styles); err != nil {
		return "", err
	}
	if r.frames.even, err = a.evenPages(path.Join(dir, "settings.xml")); err != nil {
		return "", err
	}
	if !a.has(document) {
		return "", refuse(damaged)
	}
	for _, name := range []string{document, path.Join(dir, "footnotes.xml"),
		path.Join(dir, "endnotes.xml")} {
		if err := r.read(name); err != nil {
			return "", err
		}
	}
	return r.framed()
}

// read reads a part.
func (r *wordReader) read(name string) error {
	var err error
	if r.related, err = r.archive.relations(name); err != nil {
		return err
	}
	r.names, r.paragraphs, r.runs, r.fields = nil, nil, nil, nil
	r.skipped, r.words, r.glosses, r.unread, r.tick = 0, 0, 0, 0, ""
	if err := r.archive.each(name, r.token); err != nil {
		return err
	}
	for len(r.out.tables) > 0 {
		r.out.endTable()
	}
	return r.out.err
}

func (r *wordReader) token(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		if r.skipped > 0 || r.skips(token) {
			r.skipped++
			return nil
		}
		r.begin(token, r.parent(0))
		r.names = append(r.names, token.Name.Local)
	case xml.EndElement:
		if r.skipped > 0 {
			r.skipped--
			return nil
		}
		r.names = r.names[:len(r.names)-1]
		r.close(token.Name.Local)
	case xml.CharData:
		if r.skipped > 0 {
			return nil
		}
		switch r.parent(0) {
		case "t":
			r.write(symbols(string(token), r.font()))
		case "instrText":
			if f := r.field(); f != nil && !f.shown && f.instruction.Len() < 4*maxAddress {
				f.instruction.Write(token)
			}
		}
	}
	return r.out.err
}

// skips reports whether an element is not read: it is repeated elsewhere, deleted, or holds earlier
// properties.
func (r *wordReader) skips(start xml.StartElement) bool {
	switch name := start.Name.Local; name {
	case "Fallback":
		return true
	case "tc":
		return r.hiddenRow
	case "hidden":
		if r.parent(0) == "trPr" {
			r.hiddenRow = true
			r.out.left.hidden++
		}
		return true
	case "del", "moveFrom":
		r.hiddenRow = r.hiddenRow || r.parent(0) == "trPr"
		if r.parent(0) == "rPr" {
			if p := r.paragraph(); p != nil && r.parent(1) == "pPr" {
				p.gone = true
			}
		} else if name == "del" {
			r.out.left.struck++
		}
		return true
	default:
		return strings.HasSuffix(name, "PrChange") || name == "numberingChange"
	}
}

// parent returns the name of the open element, or of one above it.
func (r *wordReader) parent(above int) string {
	if len(r.names) <= above {
		return ""
	}
	return r.names[len(r.names)-1-above]
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
			r.paragraphs = append(r.paragraphs, &paragraph{at: -1})
		}
	case "tbl":
		r.out.beginTable()
	case "tr":
		r.hiddenRow = false
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
	case "altChunk":
		r.insert(r.related[attribute(start, "id")])
	case "subDoc", "OLEObject", "chart", "relIds":
		r.out.left.parts++
	case "commentReference":
		r.out.left.comments++
	case "sectPr", "headerReference", "footerReference", "titlePg":
		r.frames.begin(start, r.related)
	default:
		r.beginRun(start, parent, value)
		if p := r.paragraph(); p != nil {
			r.inParagraph(p, start, parent, value)
		}
	}
}

// inParagraph begins an element in a paragraph.
func (r *wordReader) inParagraph(p *paragraph, start xml.StartElement, parent, value string) {
	switch start.Name.Local {
	case "pStyle":
		p.style = value
	case "outlineLvl":
		if p.level = number(value) + 1; p.level > 9 {
			p.level = -1
		}
	case "ilvl":
		p.at = levelOf(value)
	case "numId":
		p.num = value
	case "tab", "ptab":
		if parent == "r" {
			r.write("\t")
		}
	case "br", "cr":
		r.write("\n")
	case "noBreakHyphen":
		r.write("-")
	case "den": // of a fraction
		r.write("/")
	case "footnoteReference", "endnoteReference":
		p.text.write(footnote(start), baseline)
	case "hyperlink":
		address := linkAddress(r.related[attribute(start, "id")])
		p.text.beginLink(link{address: address, heading: r.isHeading(p)})
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
		if p := r.paragraph(); p != nil && r.parent(0) != "txBody" {
			r.endParagraph()
			r.paragraphs = r.paragraphs[:len(r.paragraphs)-1]
			r.put(p)
		}
	case "tc":
		r.out.endCell()
	case "tr":
		r.hiddenRow = false
	case "tbl":
		r.out.endTable()
	case "footnote", "endnote":
		r.note = ""
	case "hyperlink":
		if p := r.paragraph(); p != nil {
			p.text.endLink()
		}
	case "sectPr":
		r.frames.end()
	default:
		r.closeRun(name)
	}
}

// isHeading reports whether a paragraph is written as a heading.
func (r *wordReader) isHeading(p *paragraph) bool {
	level := p.level
	if level == 0 {
		level = r.styles[p.style].level
	}
	return level > 0 && r.note == "" && !r.out.nested()
}

func (r *wordReader) put(p *paragraph) {
	s := r.styles[p.style]
	if s.contents {
		return // a table of contents repeats the headings
	}
	b := block{text: p.text.take()}
	blank := strings.TrimSpace(b.text) == ""
	if !blank || !p.gone {
		b.marker, b.depth = r.marker(p, s)
	}
	if blank {
		return
	}
	b.level = max(0, p.level)
	if p.level == 0 {
		b.level = max(0, s.level)
	}
	if r.note != "" {
		b = block{text: r.note + b.text}
		r.note = ""
	}
	r.out.put(b)
	r.out.put(block{text: strings.Join(p.text.below, "\n")})
}

// marker counts a paragraph in its list and returns its marker.
func (r *wordReader) marker(p *paragraph, s style) (marker string, depth int) {
	num, at := p.num, p.at
	if num == "" {
		num = s.num
	}
	list := r.numbers[num]
	if at < 0 {
		at = s.at
		if list != nil {
			at = list.levelFor(p.style, s.at)
		}
	}
	switch {
	case num == "" || num == "0":
		return "", 0
	case list == nil:
		return "-", at + 1
	}
	marker, known := list.next(at)
	r.out.left.numbers += count(!known)
	return marker, at + 1
}
