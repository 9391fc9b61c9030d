package graph_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/store/notifications"
)

// TestHostileArguments sends hostile values for every argument and input field of the schema, alone
// and then together, as variables and in documents. None of them causes an internal fault.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	b := newBench(t, mailed)
	schema := parsed(t)
	reader := signedIn(t, b)
	readers := reader.world(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for i, f := range (&hostile{filler: filler{t: t, schema: schema, owned: readers}}).fields() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			h := &hostile{filler{t: t, schema: schema, owned: readers, found: map[string]string{}}, reader,
				rand.New(rand.NewPCG(seed, uint64(i)))}
			h.renew(f)
			h.ask(f, nil).wantNone(t, "only valid values") // or the others would show nothing
			h.renew(f)
			h.attack(f)
		})
	}
	t.Cleanup(func() {
		for _, line := range b.log.lines("internal fault") {
			t.Error(line)
		}
	})
}

// renew creates another account for a mutation, which may use up the objects of the last one.
func (h *hostile) renew(f asking) {
	if f.kind != "mutation" {
		return
	}
	h.u = signedIn(h.t, h.u.b)
	h.owned = h.u.world(h.t)
	if f.name == "publishAgent" || f.name == "createApiExport" {
		h.u.do(h.t, publish, vars{"id": h.owned["agent"]})
	}
	if f.name == "retryKnowledgeSource" {
		h.u.b.failSource(h.t, h.owned["knowledgesource"])
	}
	h.code = h.u.codeFor(h.t, f.name)
	if f.name == "unblockEndUser" { // the end user must exist
		h.u.do(h.t, `mutation { blockEndUser(input: {userId: "A-userId"}) { endUser { blocked } } }`, nil).wantNone(h.t, "block")
	}
}

// attack sends hostile values to a field, one and then several at once.
func (h *hostile) attack(f asking) {
	places := h.places(f)
	for _, p := range places {
		for _, value := range h.some(p, 6) {
			h.ask(f, map[string]any{p.path: value})
		}
	}
	for range 2 * len(places) {
		values := map[string]any{}
		for range 1 + h.random.IntN(len(places)) {
			p := pick(h.random, places)
			values[p.path] = pick(h.random, h.some(p, 1))
		}
		h.ask(f, values)
	}
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// asking is a field with arguments, and the document around it.
type asking struct {
	operation
	// name is the path of the field, such as Account.requests; before and after surround it.
	name, before, after string
}

// place is the position of a value: an argument, an input field or an element of a list.
type place struct {
	path string
	typ  *ast.Type
}

type hostile struct {
	filler
	u      *user
	random *rand.Rand
}

// some returns the values for a place that PostgreSQL cannot store, and n others at random.
func (h *hostile) some(p place, n int) (out []any) {
	values := h.values(p)
	for _, i := range h.random.Perm(len(values)) {
		value := values[i]
		text, _ := value.(string)
		_, raw := value.(json.RawMessage)
		if strange := raw || strings.Contains(text, "\x00"); strange || n > 0 {
			out = append(out, value)
			if !strange {
				n--
			}
		}
	}
	return out
}

// roots are the paths to the objects whose fields have arguments.
var roots = map[string]string{"Account": "viewer", "Agent": `agent(id: "%s")`, "Conversation": `conversation(id: "%s")`,
	"KnowledgeSource": `node(id: "%s") { ... on KnowledgeSource`, "User": "me",
	"Webhook": `node(id: "%s") { ... on Webhook`, "TestRun": `testRun(id: "%s")`}

// fields returns all fields with arguments, of the roots and of the objects below.
func (h *hostile) fields() (out []asking) {
	for _, o := range operations(h.schema) {
		// see TestUploadRefusals
		if len(o.field.Arguments) > 0 && !slices.Contains(
			sorted(files), o.field.Name) {
			out = append(out, asking{operation: o, name: o.field.Name})
		}
	}
	for _, name := range sorted(h.schema.Types) {
		def := h.schema.Types[name]
		if def.Kind != ast.Object || strings.HasPrefix(name, "__") ||
			slices.Contains([]*ast.Definition{h.schema.Query, h.schema.Mutation, h.schema.Subscription},
				def) {
			continue
		}
		for _, field := range def.Fields {
			if len(field.Arguments) == 0 {
				continue
			}
			root := roots[name]
			if root == "" {
				h.t.Errorf("%s.%s has arguments: teach this test a way to it", name, field.Name)
			}
			if strings.Contains(root, "%s") {
				root = fmt.Sprintf(root, h.owned[strings.ToLower(name)])
			}
			out = append(out, asking{operation{"query", field}, name + "." + field.Name, root + " { ",
				strings.Repeat(" }", 1+strings.Count(root, "{"))})
		}
	}
	return out
}

// places returns the places of a field's arguments, in order.
func (h *hostile) places(f asking) (out []place) {
	var walk func(path string, typ *ast.Type)
	walk = func(path string, typ *ast.Type) {
		out = append(out, place{path, typ})
		if typ.Elem != nil {
			walk(path+".0", typ.Elem)
			return
		}
		if def := h.schema.Types[typ.NamedType]; def.Kind == ast.InputObject {
			for _, field := range def.Fields {
				walk(path+"."+field.Name, field.Type)
			}
		}
	}
	for _, a := range f.field.Arguments {
		walk(a.Name, a.Type)
	}
	return out
}

// ask sends one request with values at some of the places, and valid ones elsewhere. Half of the
// arguments are written into the document.
func (h *hostile) ask(f asking, values map[string]any) answer {
	h.t.Helper()
	args := vars{}
	var head, call []string
	for _, a := range f.field.Arguments {
		value := h.fill(f.field.Name, a.Name, a.Name, a.Type, values)
		if h.random.IntN(2) == 0 {
			call = append(call, a.Name+": "+h.literal(value))
			continue
		}
		args[a.Name] = value
		head = append(head, "$"+a.Name+": "+a.Type.String())
		call = append(call, a.Name+": $"+a.Name)
	}
	variables := ""
	if head != nil {
		variables = "(" + strings.Join(head, ", ") + ")"
	}
	document := fmt.Sprintf("%s%s { %s%s(%s)%s%s }", f.kind, variables, f.before, f.field.Name, strings.Join(call, ", "),
		selection(h.schema, f.field.Type.Name(), 2), f.after)
	a := h.u.do(h.t, document, args)
	if a.status == http.StatusInternalServerError || strings.Contains(a.body, `"INTERNAL"`) ||
		a.status == http.StatusServiceUnavailable {
		h.t.Errorf("%.300q: %d %.400s", fmt.Sprint(values), a.status, a.body)
	}
	return a
}

var (
	quotedKey  = regexp.MustCompile(`"(\w+)":`)
	quotedName = regexp.MustCompile(`"([A-Z_]+)"`)
)

// literal formats a value for a document: as JSON, but with keys and enum values unquoted.
func (h *hostile) literal(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		h.t.Fatal(err)
	}
	document := quotedKey.ReplaceAllString(string(text), "$1:")
	return quotedName.ReplaceAllStringFunc(document, func(quoted string) string {
		name := strings.Trim(quoted, `"`)
		for _, def := range h.schema.Types {
			if def.EnumValues.ForName(name) != nil {
				return name
			}
		}
		return quoted
	})
}

// links are the purposes of the links that operations use. The others use that of a new password.
var links = map[string]notifications.Mail{
	"verifyEmail":     notifications.VerifyAddress,
	"undoEmailChange": notifications.UndoChange,
}

// fill returns the given value for a path, or a valid one.
func (h *hostile) fill(operation, path, name string, typ *ast.Type, values map[string]any) any {
	if value, ok := values[path]; ok {
		return value
	}
	within := slices.ContainsFunc(sorted(values), func(other string) bool {
		return strings.HasPrefix(other, path+".")
	})
	switch def := h.schema.Types[typ.Name()]; {
	case typ.Elem != nil && (within || !leftOut(operation, name)):
		return []any{h.fill(operation, path+".0", name, typ.Elem, values)}
	case typ.Elem == nil && def.Kind == ast.InputObject:
		out := vars{}
		for _, field := range def.Fields {
			out[field.Name] = h.fill(operation, path+"."+field.Name, field.Name, field.Type, values)
		}
		if _, given := values[path+".message"]; out["actionResults"] != nil && !given { // instead of a message
			out["message"] = nil
		}
		return out
	case name == "role": // no token is an owner
		return inputs[name]
	case typ.Elem == nil && def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case name == "from":
		return time.Now().AddDate(0, 0, -10)
	case name == "to":
		return time.Now()
	case name == "requireSecondFactor":
		return false
	case name == "last" || name == "before":
		return nil
	case name == "timeZone":
		return "Europe/Berlin"
	case name == "email" && operation == "signIn":
		return h.u.account.Email
	case name == "token" && operation == "acceptInvitation":
		return h.u.invited(h.t)
	case name == "token":
		return h.u.linkFor(h.t, cmp.Or(links[operation], notifications.PasswordReset))
	case name == "email" || name == "newEmail" || name == "idempotencyKey":
		return uuid.NewString() + "@example.com"
	}
	return h.value(operation, path, name, typ)
}
