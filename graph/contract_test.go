package graph_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTheSchemaKeepsTheContract: testdata/contract.txt lists the fields, enum values and arguments
// that clients rely on. Their names and types never change; more may be added.
func TestTheSchemaKeepsTheContract(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	have := map[string]bool{}
	for _, def := range ours(schema) {
		for _, f := range def.Fields {
			have[def.Name+"."+f.Name+" "+f.Type.String()] = true
			for _, a := range f.Arguments {
				have[def.Name+"."+f.Name+"."+a.Name+" "+a.Type.String()] = true
			}
		}
		for _, v := range def.EnumValues {
			have[def.Name+"."+v.Name] = true
		}
		if slices.Contains([]string{"PasswordHash", "RefreshToken", "Any", "JSON"}, def.Name) {
			t.Errorf("type %s", def.Name)
		}
	}
	raw, err := os.ReadFile("testdata/contract.txt")
	if err != nil {
		t.Fatal(err)
	}
	for want := range strings.Lines(string(raw)) {
		if want = strings.TrimSpace(want); !have[want] {
			t.Errorf("the schema lacks %s", want)
		}
	}
}
