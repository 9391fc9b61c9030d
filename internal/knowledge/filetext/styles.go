package filetext

import (
	"encoding/xml"
	"strings"
)

// run holds the properties of characters. Zero values are unset.
type run struct {
	height height
	font   string
	hidden setting
	struck setting
	noted  bool // it was counted as left out
}

// setting is a property that can be unset, on or off.
type setting int

const (
	on  setting = 1
	off setting = 2
)

// isOn reports whether the value of a property without one, or with it, is true.
func isOn(value string) bool { return value != "0" && value != "false" && value != "off" }

func settingOf(value string) setting {
	if isOn(value) {
		return on
	}
	return off
}

// set sets a property of a run.
func (r *run) set(start xml.StartElement, value string) {
	switch start.Name.Local {
	case "vertAlign":
		r.height = map[string]height{"superscript": raised, "subscript": lowered}[value]
	case "rFonts":
		if font := attribute(start, "ascii"); font != "" {
			r.font = font
		}
	case "vanish":
		r.hidden = settingOf(value)
	case "sz":
		if value == "1" || value == "2" { // half points
			r.hidden = on
		}
	case "strike", "dstrike":
		r.struck = settingOf(value)
	}
}

// inherit sets the properties that are unset.
func (r *run) inherit(from run) {
	if r.height == baseline {
		r.height = from.height
	}
	if r.font == "" {
		r.font = from.font
	}
	if r.hidden == 0 {
		r.hidden = from.hidden
	}
	if r.struck == 0 {
		r.struck = from.struck
	}
}

// style holds the properties of a style.
type style struct {
	level    int // of headings, from 1; 0 for others
	num      string
	at       int // the level of its list
	contents bool
	basedOn  string
	run      run
}

// styles reads the styles of a document, by id. Ids are in the language of the program that made
// them.
func (a *archive) styles(name string) (map[string]style, error) {
	out := map[string]style{}
	var id string
	err := a.each(name, func(token xml.Token) error {
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "style":
			id = attribute(start, "styleId")
		case id != "":
			s := out[id]
			s.set(start, attribute(start, "val"))
			out[id] = s
		}
		return nil
	})
	for id, s := range out {
		base := s.basedOn
		for range 10 { // basedOn may form a cycle
			from, ok := out[base]
			if !ok {
				break
			}
			if s.level == 0 {
				s.level = from.level
			}
			if s.num == "" {
				s.num, s.at = from.num, max(s.at, from.at)
			}
			s.run.inherit(from.run)
			base = from.basedOn
		}
		out[id] = s
	}
	return out, err
}

func (s *style) set(start xml.StartElement, value string) {
	switch start.Name.Local {
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
	case "numId":
		s.num = value
	case "ilvl":
		s.at = levelOf(value)
	default:
		s.run.set(start, value)
	}
}
