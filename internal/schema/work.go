package schema

import (
	"encoding/json"
	"strings"
)

// maxWork bounds the cost of checking a reply, in steps of at most 400 ns and 400 bytes.
const maxWork = 100_000

// work counts the steps of checking a value: one for each schema and each value that it is applied
// to. The steps are counted first, because the library cannot be stopped and creates an error for
// each alternative that fails.
type work struct{ left int }

// add counts the steps of a value and its members. It stops when no steps are left.
func (w *work) add(n *node, value any) {
	if w.left--; w.left < 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		w.object(n, value)
	case []any:
		w.array(n, value)
	case string:
		w.left -= n.compared / 16
		if n.pattern != nil {
			w.match(n.pattern, value)
		}
		if n.format {
			w.left -= 1 + len(value)/64
		}
	case json.Number:
		steps := rationalSteps(value.String())
		w.left -= n.compared*(2+steps) + n.bounds*steps
	}
	for _, child := range n.same {
		if w.left < 0 {
			return
		}
		w.add(child, value)
	}
}

func (w *work) object(n *node, value map[string]any) {
	w.left -= len(value) + n.required/4 + n.compared/4
	for name, member := range value {
		if w.left < 0 {
			return
		}
		if n.names != nil {
			w.left--
			w.add(n.names, name)
		}
		for _, p := range n.patterns {
			w.match(p.pattern, name)
			w.add(p.node, member)
		}
		if property := n.properties[name]; property != nil {
			w.add(property, member)
			continue
		}
		for _, other := range n.others {
			w.add(other, member)
		}
	}
}

func (w *work) array(n *node, value []any) {
	w.left -= len(value)/4 + n.compared/4
	if n.unique {
		w.compare(value)
	}
	for i, item := range value {
		if w.left < 0 {
			return
		}
		if i < len(n.prefix) {
			w.add(n.prefix[i], item)
		}
		for _, child := range n.items {
			w.add(child, item)
		}
	}
}

// match counts the steps of a pattern. In the worst case, package regexp tries each instruction of
// the pattern at each byte: in 5 ns if it can backtrack, as for small patterns and texts, otherwise
// in 50 ns.
func (w *work) match(p *pattern, text string) {
	tries := (len(text) + 1) * p.size
	if p.size <= 500 && tries <= 1<<18 {
		w.left -= 1 + tries/64
		return
	}
	w.left -= tries / 8
}

// compare counts the steps of comparing all items of a list with each other. A hostile list may
// contain items with equal hashes.
func (w *work) compare(items []any) {
	steps := 0
	for _, item := range items {
		if steps += size(item, w.left-steps); steps > w.left {
			break
		}
	}
	if n := len(items); n > 20 {
		steps = steps * n / 64
	}
	w.left -= 10 * steps
}

// rationalSteps returns the cost of parsing a number exactly.
func rationalSteps(number string) int {
	if strings.ContainsAny(number, "eE") {
		return 5 + len(number)/8
	}
	return 1 + len(number)/8
}

// size estimates the cost of comparing a value; it stops at a limit.
func size(value any, limit int) int {
	n := 1
	switch value := value.(type) {
	case json.Number:
		n += rationalSteps(value.String())
	case string:
		n += len(value) / 256
	case []any:
		for _, item := range value {
			if n > limit {
				break
			}
			n += size(item, limit-n)
		}
	case map[string]any:
		for _, member := range value {
			if n > limit {
				break
			}
			n += size(member, limit-n)
		}
	}
	return n
}
