package evaluation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
)

func (c *Check) checkValue(path string) *fault.Field {
	switch {
	case !jsontext.Pointer(c.Path).IsValid():
		return bad(path+".path", fault.InvalidValue, ` must be a JSON Pointer, such as "/order/state", or "" for the whole reply.`)
	case c.Value == nil:
		return bad(path+".value", fault.Missing, " is missing. Write the JSON value that the reply must have there.")
	}
	c.Value = canonical(c.Value)
	return nil
}

func jsonEquals(c *Check, reply *Reply) bool {
	found, ok := decode([]byte(reply.Text))
	if !ok {
		return false
	}
	for token := range jsontext.Pointer(c.Path).Tokens() {
		if found, ok = child(found, token); !ok {
			return false
		}
	}
	want, ok := decode(c.Value)
	return ok && covers(found, want, true)
}

func (c *Check) checkCall(path string) *fault.Field {
	if problem := checkAction(path+".name", c.Name); problem != nil {
		return problem
	}
	if c.Arguments == nil {
		return nil
	}
	if c.Arguments = canonical(c.Arguments); c.Arguments[0] != '{' {
		return bad(path+".arguments", fault.WrongType, " must be an object.")
	}
	return nil
}

func calls(c *Check, reply *Reply) bool {
	var want any
	if c.Arguments != nil {
		want, _ = decode(c.Arguments)
	}
	for _, call := range reply.Actions {
		if call.Name != c.Name {
			continue
		}
		if got, ok := decode(call.Arguments); want == nil || ok && covers(got, want, false) {
			return true
		}
	}
	return false
}

// decode decodes one JSON value without duplicate names. Numbers stay verbatim.
func decode(text []byte) (value any, ok bool) {
	if !jsontext.Value(text).IsValid() {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err == nil
}

// child returns the member or item of a value named by a token of a JSON Pointer.
func child(value any, token string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		found, ok := value[token]
		return found, ok
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(value) || strconv.Itoa(i) != token {
			return nil, false
		}
		return value[i], true
	}
	return nil, false
}

// covers reports whether a value equals the wanted one. Unless whole is set, its objects may have
// additional members.
func covers(got, want any, whole bool) bool {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || whole && len(got) != len(want) {
			return false
		}
		for name, value := range want {
			member, ok := got[name]
			if !ok || !covers(member, value, whole) {
				return false
			}
		}
		return true
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !covers(got[i], want[i], whole) {
				return false
			}
		}
		return true
	case json.Number:
		got, ok := got.(json.Number)
		return ok && normal(string(got)) == normal(string(want))
	}
	return got == want
}

// normal returns a JSON number in canonical form: equal values have equal forms.
func normal(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	power, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil {
		return number
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0"
	}
	power += len(digits) - len(significant) - len(fraction)
	if negative {
		significant = "-" + significant
	}
	return significant + "e" + strconv.Itoa(power)
}
