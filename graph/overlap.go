package graph

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// validationRules returns the library's rules, with our own for overlapping fields.
func validationRules() *rules.Rules {
	set := rules.NewDefaultRules()
	set.RemoveRule(rules.OverlappingFieldsCanBeMergedRule.Name)
	set.AddRule(overlapRule.Name, overlapRule.RuleFunc)
	return set
}

// overlapRule refuses two fields with one response name that are not the same field (GraphQL
// specification, 5.3.2). The library's own rule compares every pair of fields, again in every
// inline fragment around them: a document of 3 KB took it two seconds. Equality is transitive, so
// this rule compares each field only with the first of its group. Its time grows with the fields
// times the depth. It relies on documents without circular fragments, which limits refuses.
var overlapRule = core.Rule{
	Name: rules.OverlappingFieldsCanBeMergedRule.Name,
	RuleFunc: func(on *core.Events, addError core.AddErrFunc) {
		on.OnOperation(func(w *core.Walker, operation *ast.OperationDefinition) {
			o := overlap{schema: w.Schema, addError: addError}
			o.check([]ast.SelectionSet{operation.SelectionSet}, false)
		})
	},
}

type overlap struct {
	schema   *ast.Schema
	addError core.AddErrFunc
	refused  bool
}

// check compares the fields of selections of one object. apart means that the selections are of
// different objects, so only the types of the fields must match. It stops at the first conflict.
func (o *overlap) check(sets []ast.SelectionSet, apart bool) {
	for _, group := range grouped(sets) {
		if o.refused || len(group) == 1 && group[0].SelectionSet == nil {
			continue
		}
		o.compare(group, o.shape, "they return conflicting types")
		parents := [][]*ast.Field{group}
		if !apart {
			parents = byParent(group)
			for _, same := range parents {
				o.compare(same, callOf, "they are different fields, or have different arguments")
			}
		}
		// Below different parents, only the types must match; below the same one, everything.
		if apart || len(parents) > 1 {
			o.check(below(group), true)
		}
		if !apart {
			for _, same := range parents {
				o.check(below(same), false)
			}
		}
	}
}

// compare refuses a field that differs from the first of its group.
func (o *overlap) compare(group []*ast.Field, key func(*ast.Field) string, why string) {
	first := key(group[0])
	for _, f := range group[1:] {
		if !o.refused && key(f) != first {
			o.refused = true
			o.addError(
				core.Message(`Fields "%s" conflict because %s. Give them different aliases.`, f.Alias, why),
				core.At(f.Position),
			)
		}
	}
}

// grouped groups the fields of selections by response name, through fragments, in the order of the
// document.
func grouped(sets []ast.SelectionSet) [][]*ast.Field {
	var groups [][]*ast.Field
	at, seen := map[string]int{}, map[string]bool{}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				i, known := at[s.Alias] // without an alias, the parser puts the name there
				if !known {
					i, groups = len(groups), append(groups, nil)
					at[s.Alias] = i
				}
				groups[i] = append(groups[i], s)
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if s.Definition != nil && !seen[s.Name] {
					seen[s.Name] = true
					walk(s.Definition.SelectionSet)
				}
			}
		}
	}
	for _, set := range sets {
		walk(set)
	}
	return groups
}

func below(group []*ast.Field) (sets []ast.SelectionSet) {
	for _, f := range group {
		sets = append(sets, f.SelectionSet)
	}
	return sets
}

// byParent splits a group by the type of the parent object: one object never has two types. A field
// of a union can have a parent of any type, so then all are compared.
func byParent(group []*ast.Field) [][]*ast.Field {
	var out [][]*ast.Field
	at := map[*ast.Definition]int{}
	for _, f := range group {
		if f.ObjectDefinition == nil || f.ObjectDefinition.Kind != ast.Object {
			return [][]*ast.Field{group}
		}
		i, known := at[f.ObjectDefinition]
		if !known {
			i, out = len(out), append(out, nil)
			at[f.ObjectDefinition] = i
		}
		out[i] = append(out[i], f)
	}
	return out
}

// shape returns the type of a field's value. Objects are compared by their fields, so their names
// do not matter.
func (o *overlap) shape(f *ast.Field) string {
	if f.Definition == nil {
		return "" // another rule refuses unknown fields
	}
	typ := f.Definition.Type
	if def := o.schema.Types[typ.Name()]; def != nil && !def.IsLeafType() {
		return strings.Replace(typ.String(), typ.Name(), "", 1)
	}
	return typ.String()
}

// callOf returns a field's name with its arguments.
func callOf(f *ast.Field) string {
	var args []string
	for _, a := range f.Arguments {
		args = append(args, a.Name+":"+literal(a.Value))
	}
	slices.Sort(args)
	return f.Name + "(" + strings.Join(args, ",") + ")"
}

// literal writes a value so that equal values have equal texts: the order of an object's fields
// does not matter.
func literal(v *ast.Value) string {
	if v.Kind != ast.ObjectValue && v.Kind != ast.ListValue {
		return v.String()
	}
	var parts []string
	for _, child := range v.Children {
		parts = append(parts, child.Name+":"+literal(child.Value))
	}
	if v.Kind == ast.ListValue {
		return "[" + strings.Join(parts, ",") + "]"
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ",") + "}"
}
