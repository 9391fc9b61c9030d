package filetext

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// maxLinks is the largest number of links of a page that are read, and of areas of a link.
const maxLinks, maxAreas = 1_000, 100

// pdfLink is a link of a page, with the areas that it covers: one for each line of its text.
type pdfLink struct {
	address string
	areas   []structs.FPDF_FS_RECTF
}

// markLinks writes the text that links cover with their addresses: [text](address).
func (p *pdfPage) markLinks() {
	links := p.links()
	if len(links) == 0 {
		return
	}
	addresses := make([]string, len(p.chars))
	for i, c := range p.chars {
		if !unicode.IsSpace(c.value) {
			addresses[i] = p.addressAt(i, links)
		}
	}
	for first := 0; first < len(p.chars); first++ {
		if addresses[first] == "" {
			continue
		}
		end := first + 1 // after the last character, while spaces between two continue the link
		for i := end; i < len(p.chars); i++ {
			if addresses[i] == addresses[first] {
				end = i + 1
			} else if !unicode.IsSpace(p.chars[i].value) {
				break
			}
		}
		p.markLink(first, end, addresses[first])
		first = end - 1
	}
}

// markLink writes characters with their address, on one line. Text that is the address itself stays
// alone, with the hyphens and without the line breaks at which it was broken.
func (p *pdfPage) markLink(first, end int, address string) {
	chars := p.chars[first:end]
	var text strings.Builder
	for _, c := range chars {
		if !unicode.IsSpace(c.value) {
			text.WriteRune(c.value)
		}
	}
	hyphen, same := rune(0), sameAddress(strings.ReplaceAll(text.String(), "\x02", ""), address)
	if !same && sameAddress(strings.ReplaceAll(text.String(), "\x02", "-"), address) {
		hyphen, same = '-', true
	}
	for i := range chars {
		switch c := &chars[i].value; {
		case *c == '\n' || *c == '\r' && same:
			*c = 0
		case *c == '\r':
			*c = ' '
		case *c == '\x02' && same:
			*c = hyphen
		}
	}
	if !same {
		p.marks[first] += "["
		p.marks[end] = "](" + address + ")" + p.marks[end]
	}
}

// addressAt returns the address of the link that covers a character.
func (p *pdfPage) addressAt(i int, links []pdfLink) string {
	box, ok := p.box(p.chars[i])
	if !ok {
		return ""
	}
	x, y := (box.Left+box.Right)/2, (box.Bottom+box.Top)/2
	for _, link := range links {
		for _, a := range link.areas {
			if a.Left <= x && x <= a.Right && a.Bottom <= y && y <= a.Top {
				return link.address
			}
		}
	}
	return ""
}

// links returns the links of the page to addresses.
func (p *pdfPage) links() (links []pdfLink) {
	for at := 0; len(links) < maxLinks; {
		next, err := p.pdf.FPDFLink_Enumerate(&requests.FPDFLink_Enumerate{Page: p.page, StartPos: at})
		if err != nil || next.Link == nil || next.NextStartPos == nil {
			return links
		}
		at = *next.NextStartPos
		if address := p.address(*next.Link); address != "" {
			links = append(links, pdfLink{address, p.areas(*next.Link)})
		}
	}
	return links
}

// address returns the address of a link; empty if it leads elsewhere.
func (p *pdfPage) address(link references.FPDF_LINK) string {
	action, err := p.pdf.FPDFLink_GetAction(&requests.FPDFLink_GetAction{Link: link})
	if err != nil || action.Action == nil {
		return ""
	}
	got, err := p.pdf.FPDFAction_GetURIPath(&requests.FPDFAction_GetURIPath{
		Document: p.page.ByIndex.Document, Action: *action.Action,
	})
	if err != nil || got.URIPath == nil {
		return ""
	}
	return linkAddress(*got.URIPath)
}

// areas returns the areas of a link.
func (p *pdfPage) areas(link references.FPDF_LINK) (areas []structs.FPDF_FS_RECTF) {
	count, err := p.pdf.FPDFLink_CountQuadPoints(&requests.FPDFLink_CountQuadPoints{Link: link})
	if err != nil {
		return nil
	}
	for i := range min(count.Count, maxAreas) {
		got, err := p.pdf.FPDFLink_GetQuadPoints(&requests.FPDFLink_GetQuadPoints{
			Link: link, QuadIndex: i,
		})
		if err != nil || got.Points == nil {
			return nil
		}
		q := got.Points
		areas = append(areas, structs.FPDF_FS_RECTF{
			Left:   min(q.X1, q.X2, q.X3, q.X4),
			Right:  max(q.X1, q.X2, q.X3, q.X4),
			Bottom: min(q.Y1, q.Y2, q.Y3, q.Y4),
			Top:    max(q.Y1, q.Y2, q.Y3, q.Y4),
		})
	}
	if len(areas) > 0 {
		return areas
	}
	got, err := p.pdf.FPDFLink_GetAnnotRect(&requests.FPDFLink_GetAnnotRect{Link: link})
	if err != nil || got.Rect == nil {
		return nil
	}
	return []structs.FPDF_FS_RECTF{*got.Rect}
}
