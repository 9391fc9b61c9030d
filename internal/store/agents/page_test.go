package agents_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
)

func TestAgentFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Draft: true, Instructions: "-", Model: "acme/Z"})
	for name, description := range map[string]string{"Shop": "sells 100% tea", "Help_Desk": "answers", `back\slash`: "o'clock",
		"Gr\u00fc\u00dfe": "\u65e5\u672c"} {
		model := "acme/Z" + name[:1]
		made, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.Agent{Name: name, Description: description,
			Settings: agent.Settings{Instructions: "secret-word", Model: &model}})
		if err != nil {
			t.Fatal(err)
		}
		storetest.Publish(t, s, made)
	}
	for _, c := range []struct {
		in   agents.AgentQuery
		want string
	}{
		{agents.AgentQuery{}, "Assistant,Gr\u00fc\u00dfe,Help_Desk,Shop,back\\slash"},
		{agents.AgentQuery{State: agent.Draft}, "Assistant"},
		{agents.AgentQuery{State: agent.Live}, "Gr\u00fc\u00dfe,Help_Desk,Shop,back\\slash"},
		{agents.AgentQuery{Search: "SHOP"}, "Shop"},
		{agents.AgentQuery{Search: " sElLs "}, "Shop"},
		{agents.AgentQuery{Search: "'"}, `back\slash`},
		{agents.AgentQuery{Search: "\u65e5"}, "Gr\u00fc\u00dfe"},
		{agents.AgentQuery{Search: "Secret-Word"}, "Gr\u00fc\u00dfe,Help_Desk,Shop,back\\slash"},
		{agents.AgentQuery{Search: "E/zs"}, "Shop"},
		{agents.AgentQuery{Search: "a label", Models: []string{"acme/ZS", "acme/Zb"}}, `Shop,back\slash`},
		{agents.AgentQuery{Search: "a label", Models: []string{"acme/z"}}, ""},
		{agents.AgentQuery{Search: "h", State: agent.Draft}, ""},
		{agents.AgentQuery{Search: "assis", State: agent.Draft}, "Assistant"},
	} {
		in, want := c.in, c.want
		in.First, in.Count = 100, true
		p, err := agents.On(s).AgentPage(t.Context(), f.Account.ID, in)
		if err != nil {
			t.Errorf("%+v: %v", in, err)
		}
		var names []string
		for _, a := range p.Items {
			names = append(names, a.Name)
		}
		slices.Sort(names)
		if got := strings.Join(names, ","); got != want || p.Total != len(names) || p.HasNext {
			t.Errorf("%+v: %s, %d in all, want %s", in, got, p.Total, want)
		}
	}
}

func TestSearchIsRefusedBeforeAnyStatement(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	before := count.Load()
	for _, search := range []string{"a\x00b", "\xff", strings.Repeat("x", 101)} {
		query := agents.AgentQuery{First: 1, Search: search}
		_, err := agents.On(s).AgentPage(t.Context(), uuid.Nil, query)
		if !slices.Equal(storetest.FieldsOf(err), []string{"filter.search"}) {
			t.Errorf("search %q: %v", search, err)
		}
	}
	if n := count.Load() - before; n != 0 {
		t.Errorf("%d statements for invalid searches", n)
	}
}

func TestCursors(t *testing.T) {
	t.Parallel()
	me, other := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	for _, c := range []store.Cursor{{}, {ID: uuid.Must(uuid.NewV7())}, {Key: -1, ID: uuid.Max}, {Key: 1<<63 - 1, ID: uuid.New()}} {
		text := c.Encode(store.AgentCursor, me)
		if got, err := store.ParseCursor(store.AgentCursor, me, text); err != nil || got != c {
			t.Errorf("%+v came back as %+v, %v", c, got, err)
		}
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		odd := map[string]string{
			"empty": "", "cut": text[:len(text)-1], "longer": text + "A", "padded": text + "==", "spaced": " " + text,
			"an id": c.ID.String(), "an offset": "MjA=", "SQL": "' OR 1=1; DROP TABLE agents; --", "huge": strings.Repeat("A", 1<<20),
			"U+0000": text[:5] + "\x00" + text[6:], "a line break": text[:5] + "\n" + text[6:],
			"standard base64": strings.Repeat("+/", len(text)/2),
			"all zero":        base64.RawURLEncoding.EncodeToString(make([]byte, len(raw))),
		}
		for i := range raw {
			raw[i] ^= 1
			odd[fmt.Sprint("altered byte ", i)] = base64.RawURLEncoding.EncodeToString(raw)
			raw[i] ^= 1
		}
		// The last character holds bits beyond the last byte: another text for the same place is not
		// taken either.
		last := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
			text[len(text)-1])
		odd["spare bits"] = text[:len(text)-1] + string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[last^1])
		for name, in := range odd {
			if _, err := store.ParseCursor(store.AgentCursor, me, in); !slices.Equal(storetest.FieldsOf(err), []string{"after"}) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := store.ParseCursor(store.AgentCursor, other, text); !slices.Equal(storetest.FieldsOf(err), []string{"after"}) {
			t.Errorf("of another account: %v", err)
		}
		if _, err := store.ParseCursor(store.AgentCursor+1, me, text); !slices.Equal(storetest.FieldsOf(err), []string{"after"}) {
			t.Errorf("of another list: %v", err)
		}
	}
}
