package filetext

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// unread are the elements whose content is not text of the page.
var unread = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Nav: true, atom.Svg: true,
	atom.Iframe: true, atom.Object: true, atom.Select: true, atom.Textarea: true, atom.Canvas: true, atom.Audio: true, atom.Video: true,
}

// inline are the elements within a paragraph. All other elements begin and end one.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true,
	atom.Input: true, atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Map: true, atom.Mark: true, atom.Meter: true,
	atom.Output: true, atom.Q: true, atom.Ruby: true, atom.Rt: true, atom.Rp: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true,
	atom.Tt: true, atom.U: true, atom.Var: true, atom.Wbr: true, atom.Button: true,
}

// list is a list whose items are being read.
type list struct {
	numbered bool
	items    int
}

// pageReader reads a web page tag by tag. It builds no tree, however deeply tags are nested.
type pageReader struct {
	out   flow
	text  strings.Builder // of the block
	level int             // of the heading that is open
	lists []list
	item  string // the marker of the open item, until its first block
	code  int    // the number of open <pre> elements
	// skipped is the open unread element; skippedIn counts it and the elements of the same name
	// inside.
	skipped    atom.Atom
	skippedIn  int
	withNav    bool
	title      string
	hasHeading bool // of level 1
}

// readHTML returns the text of a web page.
func readHTML(data []byte) (string, error) {
	text, err := decode(data, declaredIn(data))
	if err != nil {
		return "", err
	}
	out, whole, err := readTags(text, false)
	if err == nil && !whole { // an unclosed <nav> has swallowed the page
		out, _, err = readTags(text, true)
	}
	return out, err
}

// declaredIn returns the encoding that a page declares, nil if it declares none.
func declaredIn(data []byte) encoding.Encoding {
	start := data[:min(len(data), 1024)]
	if !bytes.Contains(bytes.ToLower(start), []byte("charset")) {
		return nil
	}
	enc, _, _ := charset.DetermineEncoding(start, "")
	return enc
}

func readTags(text string, withNav bool) (out string, whole bool, err error) {
	r := pageReader{withNav: withNav}
	tags := html.NewTokenizer(strings.NewReader(text))
	for r.out.err == nil {
		kind := tags.Next()
		if kind == html.ErrorToken {
			if err := tags.Err(); !errors.Is(err, io.EOF) {
				return "", false, refuse(damaged)
			}
			break
		}
		r.token(kind, tags)
	}
	r.end()
	for len(r.out.tables) > 0 {
		r.out.endTable()
	}
	out = r.out.out.String()
	if r.title != "" && !r.hasHeading {
		out = "# " + r.title + "\n\n" + out
	}
	return out, withNav || r.skipped != atom.Nav, r.out.err
}

func (r *pageReader) token(kind html.TokenType, tags *html.Tokenizer) {
	switch kind {
	case html.TextToken:
		if r.skipped == 0 {
			r.write(string(tags.Text()))
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		name, more := tags.TagName()
		tag := atom.Lookup(name)
		switch {
		case r.skipped != 0:
			if tag == r.skipped && kind == html.StartTagToken {
				r.skippedIn++
			}
		case unread[tag] && (tag != atom.Nav || !r.withNav):
			if kind == html.StartTagToken {
				r.skipped, r.skippedIn = tag, 1
			}
		default:
			r.begin(tag, tags, more)
		}
	case html.EndTagToken:
		name, _ := tags.TagName()
		tag := atom.Lookup(name)
		switch {
		case r.skipped == 0:
			r.close(tag)
		case tag == r.skipped:
			if r.skippedIn--; r.skippedIn == 0 {
				r.skipped = 0
			}
		}
	case html.ErrorToken, html.CommentToken, html.DoctypeToken:
	}
}

// write adds text to the block. Outside of code, line breaks are white space.
func (r *pageReader) write(text string) {
	if r.code == 0 {
		text = strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	}
	r.text.WriteString(text)
}

func (r *pageReader) begin(tag atom.Atom, tags *html.Tokenizer, attributes bool) {
	if inline[tag] || tag == 0 {
		return
	}
	if tag == atom.Br {
		r.text.WriteByte('\n')
		return
	}
	r.end()
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.level = int(tag.String()[1] - '0')
	case atom.Ul, atom.Ol, atom.Menu:
		r.out.inList = r.out.inList && len(r.lists) > 0
		r.lists = append(r.lists, list{numbered: tag == atom.Ol})
	case atom.Li:
		r.item = "-"
		if n := len(r.lists); n > 0 {
			r.lists[n-1].items++
			if r.lists[n-1].numbered {
				r.item = strconv.Itoa(r.lists[n-1].items) + "."
			}
		}
	case atom.Pre:
		r.code++
	case atom.Table:
		r.out.beginTable()
	case atom.Tr:
		r.out.beginRow()
	case atom.Td, atom.Th:
		across, down := 1, 1
		for attributes {
			var key, value []byte
			key, value, attributes = tags.TagAttr()
			switch string(key) {
			case "colspan":
				across = number(string(value))
			case "rowspan":
				down = number(string(value))
			}
		}
		r.out.beginCell(across, down)
	}
}

func (r *pageReader) close(tag atom.Atom) {
	if inline[tag] || tag == 0 || tag == atom.Br {
		return
	}
	if tag == atom.Title {
		if r.title == "" {
			r.title = tidy(strings.ReplaceAll(r.text.String(), "\n", " "), false)
		}
		r.text.Reset()
		return
	}
	r.end()
	switch tag {
	case atom.Ul, atom.Ol, atom.Menu:
		if n := len(r.lists); n > 0 {
			r.lists = r.lists[:n-1]
		}
		r.item = ""
	case atom.Li:
		r.item = ""
	case atom.Pre:
		r.code = max(0, r.code-1)
	case atom.Table:
		r.out.endTable()
	case atom.Tr, atom.Td, atom.Th:
		r.out.endCell()
	}
}

// end ends the block.
func (r *pageReader) end() {
	text := r.text.String()
	r.text.Reset()
	if strings.TrimSpace(text) != "" {
		r.hasHeading = r.hasHeading || r.level == 1
		r.out.put(block{
			level:  r.level,
			marker: r.item,
			depth:  len(r.lists),
			text:   text,
			code:   r.code > 0 && r.level == 0 && r.item == "",
		})
		r.item = ""
	}
	r.level = 0
}
