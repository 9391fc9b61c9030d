package graph_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// answer is a response.
type answer struct {
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    string
	// events are the data of a subscription's events; Data and Errors are then the first one's.
	events []string
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
}

// code is the first error's, "" for none.
func (a answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	code, _ := a.Errors[0].Extensions["code"].(string)
	return code
}

// fields returns the path and reason of every invalid field.
func (a answer) fields() (out []string) {
	if len(a.Errors) == 0 {
		return nil
	}
	list, _ := a.Errors[0].Extensions["fields"].([]any)
	for _, f := range list {
		field, _ := f.(map[string]any)
		path, _ := field["path"].(string)
		reason, _ := field["reason"].(string)
		if message, _ := field["message"].(string); !strings.HasSuffix(message, ".") {
			reason += " (no sentence)"
		}
		out = append(out, path+" "+reason)
	}
	return out
}

// get returns the value at a path like agents.nodes.0.name; nil if it is absent.
func (a answer) get(path string) any {
	var at any = a.Data
	for name := range strings.SplitSeq(path, ".") {
		switch value := at.(type) {
		case map[string]any:
			at = value[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(value) {
				return nil
			}
			at = value[i]
		default:
			return nil
		}
	}
	return at
}

// text is get for a text that must be present.
func (a answer) text(t *testing.T, path string) string {
	t.Helper()
	out, ok := a.get(path).(string)
	if !ok || out == "" {
		t.Fatalf("no text at %s: %.300s", path, a.body)
	}
	return out
}

func (a answer) id(t *testing.T, path string) uuid.UUID {
	t.Helper()
	id, err := uuid.Parse(a.text(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// list returns the number of items at a path; -1 without a list.
func (a answer) list(path string) int {
	if items, ok := a.get(path).([]any); ok {
		return len(items)
	}
	return -1
}

// wantNone ends the test unless there are data and no errors.
func (a answer) wantNone(t *testing.T, what string) answer {
	t.Helper()
	if a.status != http.StatusOK || len(a.Errors) > 0 {
		t.Fatalf("%s: status %d: %.500s", what, a.status, a.body)
	}
	return a
}

// want checks status and code of the one error.
func (a answer) want(t *testing.T, what string, status int, code string) {
	t.Helper()
	if a.status != status || a.code() != code || len(a.Errors) != 1 {
		t.Errorf("%s: %d %s with %d errors, want %d %s: %.400s", what, a.status, a.code(), len(a.Errors), status, code, a.body)
	}
}

// wantFields checks that the answer is BAD_USER_INPUT on exactly these fields, "path reason" each.
func (a answer) wantFields(t *testing.T, what string, want ...string) {
	t.Helper()
	a.want(t, what, http.StatusOK, "BAD_USER_INPUT")
	if got := a.fields(); !slices.Equal(got, want) {
		t.Errorf("%s: fields %q, want %q", what, got, want)
	}
	if len(a.Errors) > 0 && len(want) > 0 {
		if first, _, _ := strings.Cut(want[0], " "); a.Errors[0].Extensions["field"] != first {
			t.Errorf("%s: the first field is %v, want %s", what, a.Errors[0].Extensions["field"], first)
		}
	}
}

// wantValues checks values by their paths.
func (a answer) wantValues(t *testing.T, what string, want map[string]any) {
	t.Helper()
	if len(a.Errors) > 0 {
		t.Errorf("%s: %.400s", what, a.body)
		return
	}
	for path, value := range want {
		if n, ok := value.(int); ok {
			value = float64(n)
		}
		if got := a.get(path); got != value {
			t.Errorf("%s: %s is %v, want %v", what, path, got, value)
		}
	}
}

// wantJSON checks that the value at a path is exactly the JSON.
func (a answer) wantJSON(t *testing.T, what, path, want string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(want), &value); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got := a.get(path); len(a.Errors) > 0 || !reflect.DeepEqual(got, value) {
		t.Errorf("%s: %.900s, want at %s %s", what, a.body, path, want)
	}
}
