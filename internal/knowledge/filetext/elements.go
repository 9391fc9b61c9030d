package filetext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unread are the elements whose content is not text of the page.
var unread = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Nav: true, atom.Svg: true,
	atom.Iframe: true, atom.Embed: true, atom.Select: true, atom.Textarea: true, atom.Canvas: true, atom.Audio: true, atom.Video: true,
	atom.Noframes: true, atom.Noembed: true, atom.Rp: true,
}

// inline are the elements within a paragraph. All other elements begin and end one.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true,
	atom.Input: true, atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Map: true, atom.Mark: true, atom.Meter: true,
	atom.Output: true, atom.Q: true, atom.Ruby: true, atom.Rt: true, atom.Rp: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true,
	atom.Tt: true, atom.U: true, atom.Var: true, atom.Wbr: true, atom.Button: true, atom.Area: true, atom.Picture: true,
	atom.Source: true, atom.Link: true, atom.Meta: true, atom.Acronym: true, atom.Nobr: true, atom.Rb: true, atom.Rtc: true,
	atom.Object: true, atom.Param: true, atom.Template: true, atom.Slot: true,
}

// isInline reports whether an element is in a paragraph. Unknown elements are.
func isInline(n *html.Node) bool {
	return inline[n.DataAtom] || n.DataAtom == 0 || n.DataAtom == atom.Br || n.Namespace != ""
}

// place holds what an element sets for its content.
type place struct {
	height height
	font   string
	// The content is invisible for one of these reasons, unless an element in it is not.
	small, unseen, transparent bool
}

// placeIn returns what an element sets for its content, which is otherwise set around it.
func (r *pageReader) placeIn(n *html.Node, css map[string]string) place {
	p := r.place()
	switch {
	case n.DataAtom == atom.Sup || css["vertical-align"] == "super":
		p.height = raised
	case n.DataAtom == atom.Sub || css["vertical-align"] == "sub":
		p.height = lowered
	case n.Namespace == "math" && n.PrevSibling != nil && n.Parent.Data == "msup":
		p.height = raised
	case n.Namespace == "math" && n.PrevSibling != nil && n.Parent.Data == "msub":
		p.height = lowered
	}
	if n.DataAtom == atom.Font && attr(n, "face") != "" {
		p.font = attr(n, "face")
	}
	if family, _, _ := strings.Cut(css["font-family"], ","); family != "" {
		p.font = family
	}
	if size := css["font-size"]; size != "" {
		p.small = isZero(size)
	}
	if visibility := css["visibility"]; visibility != "" {
		p.unseen = visibility == "hidden" || visibility == "collapse"
	}
	if color := css["color"]; color != "" {
		clip := css["background-clip"] + css["-webkit-background-clip"]
		p.transparent = color == "transparent" && clip != "text"
	}
	return p
}

func (r *pageReader) place() place {
	if len(r.places) == 0 {
		return place{}
	}
	return r.places[len(r.places)-1]
}

// list is a list whose items are being read.
type list struct {
	// style is that of its numbers; empty for bullets. After a quotation mark, it is the text of all
	// markers.
	style string
	next  int
	step  int
}

// listOf returns the list that an element begins.
func listOf(n *html.Node, css map[string]string) list {
	out := list{step: 1, next: 1}
	if n.DataAtom == atom.Ol {
		out.style = "decimal"
	}
	out.style = listStyle(n, css, out.style)
	if _, reversed := find(n, "reversed"); reversed && n.DataAtom == atom.Ol {
		out.step, out.next = -1, 0
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			out.next += count(c.DataAtom == atom.Li && !isHidden(c, declarations(c)))
		}
	}
	if start, ok := integer(attr(n, "start")); ok && n.DataAtom == atom.Ol {
		out.next = start
	}
	return out
}

var bullets = []string{"none", "disc", "circle", "square", "disclosure-open", "disclosure-closed"}

// listStyle returns the style of numbers that a list or an item sets, otherwise the one around it.
func listStyle(n *html.Node, css map[string]string, around string) string {
	kind := attr(n, "type")
	if n.DataAtom == atom.Ul || n.DataAtom == atom.Menu {
		kind = ""
	}
	switch kind {
	case "disc", "circle", "square":
		if n.DataAtom == atom.Li {
			around = ""
		}
	case "1":
		around = "decimal"
	case "a":
		around = "lower-alpha"
	case "A":
		around = "upper-alpha"
	case "i":
		around = "lower-roman"
	case "I":
		around = "upper-roman"
	}
	own := css["list-style"] + " " + css["list-style-type"]
	if first := strings.IndexAny(own, `"'`); first >= 0 { // the marker itself
		marker, _, _ := strings.Cut(own[first+1:], own[first:first+1])
		return `"` + marker
	}
	for style := range strings.FieldsSeq(own) {
		_, known := numerals[style]
		switch {
		case known, strings.HasPrefix(style, "ethiopic-"): // which browsers know
			around = style
		case slices.Contains(bullets, style):
			around = ""
		}
	}
	return around
}

// nextItem sets the marker of the next item.
func (r *pageReader) nextItem(n *html.Node, css map[string]string) {
	r.item = "-"
	if len(r.lists) == 0 {
		return
	}
	l := &r.lists[len(r.lists)-1]
	if value, ok := integer(attr(n, "value")); ok {
		l.next = value
	}
	style := listStyle(n, css, l.style)
	marker, own := strings.CutPrefix(style, `"`)
	switch {
	case own && strings.ContainsFunc(marker, isAlphanumeric):
		r.item = strings.TrimSpace(marker)
	case style != "" && !own:
		text, known := numeral(l.next, style)
		r.out.left.numbers += count(!known)
		r.item = text + ending(style)
	}
	l.next += l.step
}

func isAlphanumeric(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// ending returns what browsers write after a list number.
func ending(style string) string {
	for _, script := range []string{"cjk", "simp", "trad", "japanese", "hiragana", "katakana"} {
		if strings.HasPrefix(style, script) {
			return "、"
		}
	}
	if strings.HasPrefix(style, "korean") {
		return ","
	}
	return "."
}

// picture writes the description of a picture.
func (r *pageReader) picture(n *html.Node) {
	alt, described := find(n, "alt")
	if label := attr(n, "aria-label"); alt == "" && label != "" {
		alt, described = label, true
	}
	if r.place().unseen {
		return
	}
	role := attr(n, "role")
	pixel := attr(n, "width") == "1" && attr(n, "height") == "1"
	r.out.left.pictures += count(!described && role != "presentation" && role != "none" && !pixel)
	r.apart(alt)
}

// input writes what a control shows, except for values, which it counts.
func (r *pageReader) input(n *html.Node) {
	switch strings.ToLower(attr(n, "type")) {
	case "checkbox", "radio":
		_, checked := find(n, "checked")
		r.tick(checked)
	case "image":
		r.picture(n)
	case "hidden", "submit", "reset", "button":
	default:
		r.out.left.values += count(attr(n, "value") != "" && !r.place().unseen)
	}
}

func (r *pageReader) tick(checked bool) {
	if checked {
		r.apart(ticked)
	} else {
		r.apart(empty)
	}
}

// declarations returns the CSS declarations of an element's style attribute, in lower case.
func declarations(n *html.Node) map[string]string {
	style := strings.ToLower(attr(n, "style"))
	if style == "" {
		return nil
	}
	out := map[string]string{}
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(value, "!")
		out[strings.TrimSpace(property)] = strings.TrimSpace(value)
	}
	return out
}

// isHidden reports whether an element hides its content.
func isHidden(n *html.Node, css map[string]string) bool {
	_, hidden := find(n, "hidden")
	if n.DataAtom == atom.Dialog {
		_, open := find(n, "open")
		hidden = hidden || !open
	}
	if display := css["display"]; display != "" {
		hidden = display == "none"
	}
	for _, size := range []string{attr(n, "width"), attr(n, "height")} {
		hidden = hidden || n.DataAtom == atom.Iframe && isZero(size)
	}
	for _, size := range []string{"width", "height", "max-width", "max-height"} {
		hidden = hidden || css["overflow"] == "hidden" && isZero(css[size])
	}
	moved := css["position"] != "" && (isOutside(css["left"]) || isOutside(css["top"]))
	return hidden || moved || css["mso-hide"] == "all" || isZero(css["opacity"]) ||
		isOutside(css["text-indent"])
}

// isZero reports whether a CSS value is zero, in any unit.
func isZero(value string) bool {
	number := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz% ")
	return number != "" && strings.Trim(number, "0.") == ""
}

// isOutside reports whether a CSS length moves text out of the window.
func isOutside(length string) bool {
	n, ok := integer(length)
	return ok && n <= -999
}

// isStruck reports whether an element strikes out its content.
func isStruck(n *html.Node, css map[string]string) bool {
	return n.DataAtom == atom.Del || n.DataAtom == atom.S || n.DataAtom == atom.Strike ||
		strings.Contains(css["text-decoration"]+css["text-decoration-line"], "line-through")
}

func span(n *html.Node, name string) int {
	if number, ok := integer(attr(n, name)); ok {
		return number
	}
	return 1
}

// integer parses an integer as browsers do, which ignore what follows.
func integer(text string) (n int, ok bool) {
	text = strings.TrimSpace(text)
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' ||
		end == 0 && (text[0] == '-' || text[0] == '+')) {
		end++
	}
	long, err := strconv.ParseInt(text[:end], 10, 32)
	return int(long), err == nil
}

// find returns the value of an attribute, and whether the element has it.
func find(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

func attr(n *html.Node, name string) string {
	value, _ := find(n, name)
	return value
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
