package chat

import "unicode/utf8"

const (
	// maxExcerpt is the longest excerpt of a rejected reply, in code points: enough to find the broken
	// rule, too short to get replies for free. The database refuses a longer one.
	maxExcerpt = 500
	// leastBefore is the smallest number of code points to show before the fault. They usually include
	// the member's name.
	leastBefore = 100
	// ellipsis marks each side at which text was cut off.
	ellipsis = "…"
)

// excerpt returns the part of a rejected reply to store: at most maxExcerpt code points around the
// bytes from start to end.
func excerpt(text string, start, end int) string {
	const room = maxExcerpt - 2 // an ellipsis on each side
	start = boundary(text, start)
	end = boundary(text, max(start, end))
	from, to := boundary(text, start-utf8.UTFMax*maxExcerpt), boundary(text, start+utf8.UTFMax*maxExcerpt)
	before, after := []rune(clean(text[from:start])), []rune(clean(text[start:to]))
	value := utf8.RuneCountInString(text[start:min(end, to)])
	if from == 0 && to == len(text) && len(before)+len(after) <= maxExcerpt {
		return string(before) + string(after)
	}
	left := min(max((room-value)/2, leastBefore, room-len(after)), len(before))
	right := min(room-left, len(after))
	out := string(before[len(before)-left:]) + string(after[:right])
	if from > 0 || left < len(before) {
		out = ellipsis + out
	}
	if to < len(text) || right < len(after) {
		out += ellipsis
	}
	return out
}

// boundary returns the offset of the character that byte i belongs to, limited to the text.
func boundary(text string, i int) int {
	i = min(max(i, 0), len(text))
	for n := 0; n < utf8.UTFMax-1 && i > 0 && i < len(text) && !utf8.RuneStart(text[i]); n++ {
		i--
	}
	return i
}
