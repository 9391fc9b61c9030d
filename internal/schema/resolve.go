package schema

import (
	"strconv"
	"strings"
)

const circle = "The reference points to a schema that contains it. A schema cannot contain itself: write out as many levels as you need."

// resolve returns the node that a reference points to.
func (w *walk) resolve(path, ref string) (*node, *RefusedError) {
	place, local := placeOf(ref)
	switch {
	case ref == "#":
		return nil, refuse(path, "%s", circle)
	case !local:
		return nil, refuse(path,
			"A reference must point into this document, such as #/$defs/address. Nothing else is loaded.")
	case w.inside:
		return nil, refuse(path,
			"A reference inside a schema with its own $id is relative to that schema. Leave out that $id.")
	}
	target, at, inside := w.b.root, "", false
	for _, name := range strings.Split(place[1:], "/") {
		name = unescape(name)
		at = pointer(at, name)
		found := false
		switch in := target.(type) {
		case map[string]any:
			target, found = in[name]
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(in) && strconv.Itoa(i) == name {
				target, found = in[i], true
			}
		}
		if !found {
			return nil, refuse(path, "There is nothing at %s.", ref)
		}
		if object, ok := target.(map[string]any); ok && object["$id"] != nil {
			inside = true
		}
	}
	n, problem := w.b.build(at, target, 1, inside)
	switch {
	case problem != nil:
		return nil, problem
	case n.building:
		return nil, refuse(path, "%s", circle)
	}
	return n, nil
}
