package filetext

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// maxLevels is the number of levels of a list in Word.
const maxLevels = 9

// numberLevel is a level of a list.
type numberLevel struct {
	start  int // 0 if it is not set
	format string
	custom bool   // the format is set; what follows is for programs that do not know it
	text   string // with %1 for the number of the first level
	style  string // the style of its paragraphs
	legal  bool   // numbers of all levels are decimal
	after  int    // a number of a level up to this one, from 1, restarts it
}

// numberedList is the definition of a list, with its state.
type numberedList struct {
	levels  [maxLevels]numberLevel
	counts  [maxLevels]int
	counted [maxLevels]bool
	link    string // the numbering style that defines it
}

// numberedPart is a part of a document that uses a list. It may override levels.
type numberedPart struct {
	list      *numberedList
	starts    [maxLevels]int
	overrides [maxLevels]bool // starts are set
	levels    [maxLevels]*numberLevel
	begun     [maxLevels]bool
}

// numberReader reads the lists of a document.
type numberReader struct {
	lists map[string]*numberedList
	parts map[string]*numberedPart
	list  *numberedList
	part  *numberedPart
	at    int          // the level that is overridden
	level *numberLevel // the open level
}

// numbering reads the lists of a document, by the ids that paragraphs use.
func (a *archive) numbering(name string, styles map[string]style) (map[string]*numberedPart, error) {
	r := numberReader{lists: map[string]*numberedList{}, parts: map[string]*numberedPart{}}
	err := a.each(name, func(token xml.Token) error {
		if start, ok := token.(xml.StartElement); ok {
			r.begin(start, attribute(start, "val"))
		}
		return nil
	})
	for id, p := range r.parts {
		if p.list == nil {
			delete(r.parts, id)
			continue
		}
		if linked := r.parts[styles[p.list.link].num]; linked != nil && linked.list != nil {
			p.list = linked.list
		}
	}
	return r.parts, err
}

func (r *numberReader) begin(start xml.StartElement, value string) {
	switch start.Name.Local {
	case "abstractNum":
		r.list = &numberedList{}
		for i := range r.list.levels {
			r.list.levels[i] = numberLevel{format: "bullet", after: i}
		}
		r.lists[attribute(start, "abstractNumId")] = r.list
		r.part, r.level = nil, nil
	case "numStyleLink":
		if r.list != nil {
			r.list.link = value
		}
	case "num":
		r.part, r.level = &numberedPart{}, nil
		r.parts[attribute(start, "numId")] = r.part
	case "abstractNumId":
		if r.part != nil {
			r.part.list = r.lists[value]
		}
	case "lvlOverride":
		r.at = levelOf(attribute(start, "ilvl"))
	case "startOverride":
		if r.part != nil {
			r.part.starts[r.at], r.part.overrides[r.at] = number(value), true
		}
	case "lvl":
		at := levelOf(attribute(start, "ilvl"))
		switch {
		case r.part != nil:
			r.level = &numberLevel{format: "decimal", after: at}
			r.part.levels[at] = r.level
		case r.list != nil:
			r.level = &r.list.levels[at]
			r.level.format = "decimal"
		}
	default:
		if r.level != nil {
			r.level.set(start, value)
		}
	}
}

func (l *numberLevel) set(start xml.StartElement, value string) {
	switch start.Name.Local {
	case "start":
		l.start = number(value)
	case "numFmt":
		switch {
		case value == "custom": // such as "001, 002, 003, ..."
			l.format, _, _ = strings.Cut(attribute(start, "format"), ",")
			l.custom = true
		case !l.custom:
			l.format = value
		}
	case "lvlText":
		l.text = value[:min(len(value), 256)]
	case "pStyle":
		l.style = value
	case "isLgl":
		l.legal = isOn(value)
	case "lvlRestart":
		l.after = number(value)
	}
}

// levelOf parses a level, from 0.
func levelOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return max(0, min(n, maxLevels-1))
}

func (p *numberedPart) level(at int) numberLevel {
	if l := p.levels[at]; l != nil {
		return *l
	}
	return p.list.levels[at]
}

// levelFor returns the level whose paragraphs have a style, otherwise the given one.
func (p *numberedPart) levelFor(style string, otherwise int) int {
	for at := range maxLevels {
		if p.level(at).style == style && style != "" {
			return at
		}
	}
	return otherwise
}

func (p *numberedPart) startOf(at int) int {
	if p.overrides[at] {
		return p.starts[at]
	}
	return p.level(at).start
}

// next counts a paragraph at a level, and returns its marker: "-" for a bullet, empty for none.
// known is false if the format of a number is not. A paragraph counts in the levels that it skips:
// after 2.1.1 follows 2.2.
func (p *numberedPart) next(at int) (marker string, known bool) {
	l := p.list
	if !l.counted[at] || p.overrides[at] && !p.begun[at] {
		l.counts[at] = p.startOf(at)
	} else {
		l.counts[at]++
	}
	l.counted[at], p.begun[at] = true, true
	for skipped := range at {
		if !l.counted[skipped] {
			l.counts[skipped], l.counted[skipped], p.begun[skipped] = p.startOf(skipped), true, true
		}
	}
	for deeper := at + 1; deeper < maxLevels; deeper++ {
		if at < p.level(deeper).after {
			l.counted[deeper] = false
		}
	}
	return p.marker(at)
}

func (p *numberedPart) marker(at int) (marker string, known bool) {
	level := p.level(at)
	if level.format == "bullet" {
		return "-", true
	}
	known = true
	var out strings.Builder
	for i := 0; i < len(level.text); i++ {
		c := level.text[i]
		if c != '%' || i+1 == len(level.text) || level.text[i+1] < '1' || level.text[i+1] > '9' {
			out.WriteByte(c)
			continue
		}
		i++
		text, ok := p.number(int(level.text[i]-'1'), level.legal)
		out.WriteString(text)
		known = known && ok
	}
	return strings.Join(strings.Fields(out.String()), " "), known
}

// number writes the current number of a level.
func (p *numberedPart) number(at int, legal bool) (text string, known bool) {
	n, format := p.list.counts[at], p.level(at).format
	if !p.list.counted[at] {
		n = p.startOf(at)
	}
	switch {
	case format == "none" || format == "bullet":
		return "", true
	case legal:
		format = "decimal"
	case len(format) < 10 && strings.HasSuffix(format, "1") && strings.Trim(format, "0") == "1":
		return fmt.Sprintf("%0*d", len(format), n), true
	}
	return numeral(n, format)
}
