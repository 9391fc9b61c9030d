package knowledge

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// citation matches one or more numbers in brackets: [1], [1, 2], [1-3], and 【1】 or 【1†source】,
// which some models write.
var citation = regexp.MustCompile(`[\[【［] ?([1-9][0-9]{0,2}(?: ?[,;、，–-] ?[1-9][0-9]{0,2})*)(?:†[^†\[【［\]】］\n]*)? ?[\]】］]`)

// separators split the numbers of one citation.
var separators = regexp.MustCompile(` ?[,;、，] ?`)

// Cited returns the passage numbers from 1 to n that a reply cites, each once, in the order of
// their first citation. Brackets in code and in links do not count.
func Cited(reply string, n int) []int {
	out := []int{}
	for _, c := range citations(reply) {
		for _, part := range separators.Split(reply[c.numbers:c.numbersEnd], -1) {
			first, last := numbers(part)
			for i := first; i <= min(last, n); i++ {
				if !slices.Contains(out, i) {
					out = append(out, i)
				}
			}
		}
	}
	return out
}

// numbers returns the first and the last number of a part of a citation: "2", or "2-4". For a part
// that is not a range, first is greater than last.
func numbers(part string) (first, last int) {
	ends := strings.FieldsFunc(part, func(c rune) bool { return c == '-' || c == '–' || c == ' ' })
	if len(ends) > 2 {
		return 1, 0
	}
	first, _ = strconv.Atoi(ends[0])
	last, _ = strconv.Atoi(ends[len(ends)-1])
	return first, last
}

// WithoutCitations returns a reply without its citations and the spaces before them, for a model
// that gets other passages with the same numbers. A citation is a pair of brackets, outside of code
// and links, that contains only numbers of up to three digits.
func WithoutCitations(reply string) string {
	var out strings.Builder
	at := 0
	for _, c := range citations(reply) {
		out.WriteString(strings.TrimRight(reply[at:c.start], " \t"))
		at = c.end
		if before := out.String(); before == "" || strings.HasSuffix(before, "\n") {
			at += len(reply[at:]) - len(strings.TrimLeft(reply[at:], " \t"))
		}
	}
	out.WriteString(reply[at:])
	return out.String()
}

// place is the position of a citation and of its numbers in a reply, in bytes.
type place struct{ start, end, numbers, numbersEnd int }

// citations returns the citations of a reply in order.
func citations(reply string) (out []place) {
	code := codeOf(reply)
	for _, m := range citation.FindAllStringSubmatchIndex(reply, -1) {
		for len(code) > 0 && code[0].end <= m[0] {
			code = code[1:]
		}
		inCode := len(code) > 0 && code[0].start < m[1]
		if !inCode && !strings.HasPrefix(reply[m[1]:], "(") {
			out = append(out, place{start: m[0], end: m[1], numbers: m[2], numbersEnd: m[3]})
		}
	}
	return out
}

var ticks = regexp.MustCompile("`+")

// codeOf returns the positions of code in a text: between two equal runs of backticks. An unclosed
// run of three or more extends to the end of the text.
func codeOf(text string) (out []place) {
	runs := ticks.FindAllStringIndex(text, -1)
	next, last := make([]int, len(runs)), map[int]int{} // the next run of the same length; 0 for none
	for i, r := range slices.Backward(runs) {
		next[i], last[r[1]-r[0]] = last[r[1]-r[0]], i
	}
	for i := 0; i < len(runs); i++ {
		switch size := runs[i][1] - runs[i][0]; {
		case next[i] > 0:
			out = append(out, place{start: runs[i][0], end: runs[next[i]][1]})
			i = next[i]
		case size >= 3:
			return append(out, place{start: runs[i][0], end: len(text)})
		}
	}
	return out
}
