package filetext

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// field is a field that is being read: an instruction, and the text that it showed last.
type field struct {
	instruction strings.Builder
	shown       bool   // the text has begun
	unread      bool   // what follows is not read: the instruction, or the number of a page
	link        bool   // the text is a link
	tick        string // the tick box that it is
}

// write adds text to the paragraph, in the properties of its run.
func (r *wordReader) write(text string) {
	p := r.paragraph()
	if p == nil || r.unread > 0 {
		return
	}
	if r.tick != "" {
		text, r.tick = r.tick, ""
	}
	var in run
	if n := len(r.runs); n > 0 {
		in = r.runs[n-1]
		in.inherit(r.styles[p.style].run)
		if in.hidden == on || in.struck == on {
			r.out.left.hidden += count(in.hidden == on && !in.noted)
			r.out.left.struck += count(in.hidden != on && !in.noted)
			r.runs[n-1].noted = true
			return
		}
	}
	if r.glosses > 0 {
		p.text.gloss = append(p.text.gloss, text...)
		return
	}
	if r.words == 0 {
		p.text.endWord()
	}
	p.text.write(text, in.height)
}

// beginRun begins an element that sets or contains characters.
func (r *wordReader) beginRun(start xml.StartElement, parent, value string) {
	switch start.Name.Local {
	case "r":
		r.runs = append(r.runs, r.run())
	case "sup", "sub": // of formulas
		in := r.run()
		in.height = map[string]height{"sup": raised, "sub": lowered}[start.Name.Local]
		r.runs = append(r.runs, in)
	case "rStyle":
		if n := len(r.runs); n > 0 && r.parent(1) == "r" {
			r.runs[n-1].inherit(r.styles[value].run)
		}
	case "ddList", "control": // a list of a form, or a control
		r.out.left.values++
	case "sym":
		code, err := strconv.ParseUint(attribute(start, "char"), 16, 16)
		if err == nil {
			r.write(symbols(string(rune(code)), attribute(start, "font")))
		}
	case "ruby":
		r.words++
	case "rt":
		r.glosses++
	case "docPr":
		r.describe(attribute(start, "descr"))
	case "shape":
		r.describe(attribute(start, "alt"))
	case "textpath": // a watermark
		r.describe(attribute(start, "string"))
	case "blip", "imagedata":
		r.out.left.pictures += count(!r.described)
	case "fldChar", "fldSimple":
		r.beginField(start)
	case "checked", "default":
		r.setTick(parent, attribute(start, "val"))
	case "checkBox":
		if f := r.field(); f != nil {
			f.tick = empty
		}
	case "checkbox":
		r.tick = empty
	case "vanish":
		if p := r.paragraph(); p != nil && r.parent(1) == "pPr" {
			p.gone = isOn(value)
		}
	}
	if n := len(r.runs); n > 0 && parent == "rPr" && r.parent(1) == "r" {
		r.runs[n-1].set(start, value)
	}
}

func (r *wordReader) closeRun(name string) {
	switch name {
	case "r", "sup", "sub":
		if n := len(r.runs); n > 0 {
			r.runs = r.runs[:n-1]
		}
	case "ruby":
		r.words--
	case "rt":
		r.glosses--
	case "sdt":
		r.tick = ""
	case "fldSimple":
		r.endField()
	}
}

func (r *wordReader) run() run {
	if n := len(r.runs); n > 0 {
		return run{height: r.runs[n-1].height}
	}
	return run{}
}

// font returns the font of the open run.
func (r *wordReader) font() string {
	if n := len(r.runs); n > 0 && r.runs[n-1].font != "" {
		return r.runs[n-1].font
	}
	if p := r.paragraph(); p != nil {
		return r.styles[p.style].run.font
	}
	return ""
}

// describe writes the description of a drawing.
func (r *wordReader) describe(text string) {
	text = strings.Join(strings.Fields(text), " ")
	r.described = text != ""
	if r.described {
		r.write(" " + text + " ")
	}
}

// setTick sets the tick box that is being read.
func (r *wordReader) setTick(parent, value string) {
	tick := empty
	if isOn(value) {
		tick = ticked
	}
	switch f := r.field(); {
	case parent == "checkbox":
		r.tick = tick
	case parent == "checkBox" && f != nil:
		f.tick = tick
	}
}

func (r *wordReader) field() *field {
	if len(r.fields) == 0 {
		return nil
	}
	return r.fields[len(r.fields)-1]
}

func (r *wordReader) beginField(start xml.StartElement) {
	f := r.field()
	switch kind := attribute(start, "fldCharType"); {
	case start.Name.Local == "fldSimple":
		f = &field{unread: true}
		r.unread++
		f.instruction.WriteString(attribute(start, "instr"))
		r.fields = append(r.fields, f)
		r.showField(f)
	case kind == "begin":
		r.fields = append(r.fields, &field{unread: true})
		r.unread++
	case kind == "separate" && f != nil:
		r.showField(f)
	case kind == "end" && f != nil:
		r.endField()
	}
}

// showField begins the text of a field. The numbers of pages are not read.
func (r *wordReader) showField(f *field) {
	if f.shown {
		return
	}
	f.shown = true
	words := append(strings.Fields(f.instruction.String()), "")
	kind := strings.ToUpper(words[0])
	switch kind {
	case "PAGE", "NUMPAGES", "SECTIONPAGES", "FORMCHECKBOX":
		return
	}
	r.readField(f)
	if kind == "HYPERLINK" {
		if p := r.paragraph(); p != nil {
			address := linkAddress(strings.Trim(words[1], `"`))
			p.text.beginLink(link{address: address, heading: r.isHeading(p)})
			f.link = true
		}
	}
}

// readField reads what follows, which belongs to the text of a field or follows the field.
func (r *wordReader) readField(f *field) {
	r.unread -= count(f.unread)
	f.unread = false
}

// endParagraph reads the fields that are not read, in case they have no end.
func (r *wordReader) endParagraph() {
	for i := len(r.fields) - 1; i >= 0 && r.unread > 0; i-- {
		r.readField(r.fields[i])
	}
}

func (r *wordReader) endField() {
	f := r.field()
	if f == nil {
		return
	}
	r.fields = r.fields[:len(r.fields)-1]
	r.readField(f)
	p := r.paragraph()
	switch {
	case f.tick != "":
		r.write(" " + f.tick + " ")
	case p != nil && f.link:
		p.text.endLink()
	}
}
