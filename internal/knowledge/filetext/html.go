package filetext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxTags bounds the tags of a page, because each takes more than 100 bytes in the tree.
const maxTags = 1_000_000

// pageReader reads the tree of a web page.
type pageReader struct {
	out        flow
	text       line    // of the block
	level      int     // of the heading that is open
	places     []place // of the open elements
	lists      []list
	item       string // the marker of the open item, until its first block
	code       int    // the number of open <pre> elements
	words      int    // the number of open <ruby> elements
	glosses    int    // the number of open <rt> elements
	withNav    bool
	inserted   bool // the page is inserted in another one
	title      string
	hasHeading bool // of level 1
}

// readHTML returns the text of a web page.
func readHTML(data []byte, left *left) (string, error) {
	text, err := decode(data, declaredIn(data), left)
	if err != nil {
		return "", err
	}
	return readPage(text, left, false)
}

// readPage returns the text of a page, which may be inserted in another one.
func readPage(text string, left *left, inserted bool) (string, error) {
	if strings.Count(text, "<") > maxTags {
		return "", ErrMemory
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		if strings.Contains(err.Error(), "exceeds") {
			return "", refuse("The page is nested too deeply. Save it in another format.")
		}
		return "", errDamaged
	}
	lower := strings.ToLower(text)
	r := pageReader{
		out:      flow{left: left},
		inserted: inserted,
		// An unclosed <nav> contains the page.
		withNav: strings.Count(lower, "<nav") > strings.Count(lower, "</nav"),
	}
	r.walk(root)
	r.end()
	out := r.out.out.String()
	if r.title != "" && !r.hasHeading && !inserted {
		out = "# " + r.title + "\n\n" + out
	}
	return out, r.out.err
}

// walk reads a tree, however deeply it is nested.
func (r *pageReader) walk(root *html.Node) {
	for n := root; n != nil && r.out.err == nil; {
		read := r.enter(n)
		if read && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		if read {
			r.leave(n)
		}
		for n != nil && n.NextSibling == nil {
			if n = n.Parent; n != nil {
				r.leave(n)
			}
		}
		if n != nil {
			n = n.NextSibling
		}
	}
}

// enter begins a node, and reports whether its content is read.
func (r *pageReader) enter(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		r.write(n.Data)
		return false
	case html.DocumentNode:
		return true
	case html.CommentNode:
		// Others are conditions and instructions.
		r.out.left.comments += count(!strings.HasPrefix(n.Data, "[") && !strings.HasPrefix(n.Data, "?"))
		return false
	case html.ElementNode:
	default:
		return false
	}
	css := declarations(n)
	switch {
	case isHidden(n, css):
		r.out.left.hidden += count(n.FirstChild != nil && !unread[n.DataAtom])
		return false
	case isStruck(n, css):
		if n.DataAtom == atom.Li {
			r.nextItem(n, css) // it has a number
			r.item = ""
		}
		r.out.left.struck++
		return false
	case r.isUnread(n):
		return false
	}
	r.places = append(r.places, r.placeIn(n, css))
	r.begin(n, css)
	return true
}

// isUnread reports whether the content of an element is not text of the page. It writes
// the description of a drawing and counts inserted documents.
func (r *pageReader) isUnread(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Svg:
		if title := n.FirstChild; title != nil && title.Data == "title" && title.FirstChild != nil {
			r.apart(title.FirstChild.Data)
		} else {
			r.apart(attr(n, "aria-label"))
		}
		return true
	case atom.Iframe:
		r.insert(attr(n, "srcdoc"))
	case atom.Embed, atom.Audio, atom.Video:
		r.out.left.parts++
	case atom.Canvas:
		r.picture(n)
	case atom.Select, atom.Textarea:
		r.out.left.values += count(n.FirstChild != nil && !r.place().unseen)
	case atom.Nav:
		return !r.withNav
	}
	return unread[n.DataAtom] || n.Namespace == "math" && strings.HasPrefix(n.Data, "annotation")
}

var unbroken = strings.NewReplacer("\n", " ", "\r", " ")

// write adds text to the block. Outside of code, line breaks are white space.
func (r *pageReader) write(text string) {
	if r.code == 0 {
		text = unbroken.Replace(text)
	}
	p := r.place()
	if p.small || p.unseen || p.transparent {
		r.out.left.hidden += count(strings.TrimSpace(text) != "")
		return
	}
	text = symbols(text, p.font)
	if r.glosses > 0 {
		r.text.gloss = append(r.text.gloss, text...)
		return
	}
	if r.words == 0 {
		r.text.endWord()
	}
	r.text.write(text, p.height)
}

// apart adds the text of a picture or a control.
func (r *pageReader) apart(text string) {
	if r.place().unseen {
		return
	}
	r.text.endWord()
	r.text.apart(unbroken.Replace(text))
}

func (r *pageReader) begin(n *html.Node, css map[string]string) {
	switch n.DataAtom {
	case atom.Br:
		r.text.text = append(r.text.text, '\n')
	case atom.A:
		href := strings.TrimSpace(attr(n, "href"))
		k := link{address: linkAddress(href), local: strings.Contains(href, "#")}
		k.heading = r.level > 0 && !r.out.nested()
		if r.code > 0 {
			k.address = ""
		}
		r.text.beginLink(k)
	case atom.Img:
		r.picture(n)
	case atom.Area:
		r.text.beginLink(link{address: linkAddress(attr(n, "href"))})
		r.apart(attr(n, "alt"))
		r.text.endLink()
	case atom.Input:
		r.input(n)
	case atom.Ruby:
		r.words++
	case atom.Rt, atom.Rtc:
		r.glosses++
	case atom.Object:
		r.out.left.parts += count(n.FirstChild == nil)
	}
	switch attr(n, "role") {
	case "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio":
		if n.DataAtom != atom.Input {
			r.tick(attr(n, "aria-checked") == "true")
		}
	}
	if !isInline(n) {
		r.end()
		r.beginBlock(n, css)
	}
}

func (r *pageReader) beginBlock(n *html.Node, css map[string]string) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.level = int(n.Data[1] - '0')
		if r.text.link != nil {
			r.text.link.heading = !r.out.nested()
		}
	case atom.Ul, atom.Ol, atom.Menu:
		r.out.inList = r.out.inList && len(r.lists) > 0
		r.lists = append(r.lists, listOf(n, css))
	case atom.Li:
		outer := r.item
		if r.nextItem(n, css); outer != "" && outer != "-" {
			r.item = strings.TrimSuffix(outer+" "+r.item, " -") // an item that begins with a list
		}
	case atom.Pre:
		r.code++
	case atom.Table:
		if r.item != "-" {
			r.out.put(block{text: r.item, depth: len(r.lists)})
			r.item = ""
		}
		r.out.beginTable()
	case atom.Tr:
		r.out.beginRow()
	case atom.Td, atom.Th:
		r.out.beginCell(span(n, "colspan"), span(n, "rowspan"))
	}
}

func (r *pageReader) leave(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	r.places = r.places[:len(r.places)-1]
	switch n.DataAtom {
	case atom.A:
		r.text.endLink()
	case atom.Ruby:
		r.words--
	case atom.Rt, atom.Rtc:
		r.glosses--
	case atom.Title:
		if r.title == "" {
			r.title = tidy(strings.ReplaceAll(r.text.take(), "\n", " "), false)
		}
		r.text.take()
	}
	if !isInline(n) {
		r.end()
		r.endBlock(n)
	}
}

func (r *pageReader) endBlock(n *html.Node) {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Menu:
		r.lists = r.lists[:len(r.lists)-1]
		r.item = ""
	case atom.Li:
		r.item = ""
	case atom.Pre:
		r.code--
	case atom.Table:
		r.out.endTable()
	case atom.Tr, atom.Td, atom.Th:
		r.out.endCell()
	}
}

// end ends the block.
func (r *pageReader) end() {
	text := r.text.take()
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
	r.out.put(block{text: strings.Join(r.text.below, "\n")})
	r.text.below = nil
	r.level = 0
}
