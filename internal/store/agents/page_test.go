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

// TestPagesOverlapNowhere pages through 105 agents of one moment while others come and go.
func TestPagesOverlapNowhere(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Seed(t, s, storetest.Options{})
	want := []uuid.UUID{f.Agent.ID}
	for i := range 104 {
		a, err := agents.On(s).CreateAgent(t.Context(), f.Account.ID, agent.Agent{Name: fmt.Sprint("agent ", i)})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, a.ID)
	}
	storetest.ExecLater(`UPDATE agents SET created_at = now(), updated_at = now()`)(t, s, f)
	slices.Reverse(want)
	var got []uuid.UUID
	q := agents.AgentQuery{First: 20, Count: true}
	for page := 0; ; page++ {
		before := count.Load()
		p, err := agents.On(s).AgentPage(t.Context(), f.Account.ID, q)
		if err != nil {
			t.Fatal(err)
		}
		if n := count.Load() - before; n != 2 {
			t.Errorf("page %d: %d statements, want 2", page, n)
		}
		if p.Total != 105+page {
			t.Errorf("page %d: %d in all, want %d", page, p.Total, 105+page)
		}
		for _, a := range p.Items {
			got = append(got, a.ID)
		}
		if !p.HasNext {
			break
		}
		if len(p.Items) != 20 {
			t.Errorf("page %d: %d agents", page, len(p.Items))
		}
		last := store.Cursor{ID: p.Items[19].ID}.Encode(store.AgentCursor, f.Account.ID)
		c, err := store.ParseCursor(store.AgentCursor, f.Account.ID, last)
		if err != nil {
			t.Fatal(err)
		}
		q.After = &c
		storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Draft: true}) // newer than every page
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d agents, want %d in order: %v", len(got), len(want), got)
	}
}

func TestAgentFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Draft: true, Instructions: "-", Model: "acme/Z"})
	other := storetest.Seed(t, s, storetest.Options{})
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
		{agents.AgentQuery{Search: "h"}, `Help_Desk,Shop,back\slash`},
		{agents.AgentQuery{Search: "%"}, "Shop"},
		{agents.AgentQuery{Search: "0%"}, "Shop"},
		{agents.AgentQuery{Search: "_"}, "Help_Desk"},
		{agents.AgentQuery{Search: "p_d"}, "Help_Desk"},
		{agents.AgentQuery{Search: `\`}, `back\slash`},
		{agents.AgentQuery{Search: `k\s`}, `back\slash`},
		{agents.AgentQuery{Search: "'"}, `back\slash`},
		{agents.AgentQuery{Search: "\u65e5"}, "Gr\u00fc\u00dfe"},
		{agents.AgentQuery{Search: "r\u00fc\u00df"}, "Gr\u00fc\u00dfe"},
		{agents.AgentQuery{Search: "Secret-Word"}, "Gr\u00fc\u00dfe,Help_Desk,Shop,back\\slash"},
		{agents.AgentQuery{Search: "E/zs"}, "Shop"},
		{agents.AgentQuery{Search: "a label", Models: []string{"acme/ZS", "acme/Zb"}}, `Shop,back\slash`},
		{agents.AgentQuery{Search: "a label", Models: []string{"acme/z"}}, ""},
		{agents.AgentQuery{Search: "' OR true --"}, ""},
		{agents.AgentQuery{Search: "sh%p"}, ""},
		{agents.AgentQuery{Search: other.Agent.Name}, "Assistant"},
		{agents.AgentQuery{Search: "h", State: agent.Draft}, ""},
		{agents.AgentQuery{Search: "assis", State: agent.Draft}, "Assistant"},
		{agents.AgentQuery{Search: "assis", State: agent.Live}, ""},
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

func TestPagesAreRefusedBeforeAnyStatement(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	before := count.Load()
	for _, first := range []int{0, -1, 101, 2147483647, -2147483648} {
		_, err := agents.On(s).AgentPage(t.Context(), f.Account.ID, agents.AgentQuery{First: first})
		if !slices.Equal(storetest.FieldsOf(err), []string{"first"}) {
			t.Errorf("first %d: %v", first, err)
		}
		if _, err := store.PageSize(&first); !slices.Equal(storetest.FieldsOf(err), []string{"first"}) {
			t.Errorf("a page of %d: %v", first, err)
		}
	}
	for _, search := range []string{"a\x00b", "\xff", strings.Repeat("x", 101)} {
		_, err := agents.On(s).AgentPage(t.Context(), f.Account.ID, agents.AgentQuery{First: 1, Search: search})
		if !slices.Equal(storetest.FieldsOf(err), []string{"filter.search"}) {
			t.Errorf("search %q: %v", search, err)
		}
	}
	if n := count.Load() - before; n != 0 {
		t.Errorf("%d statements for what is refused", n)
	}
	if n, err := store.PageSize(nil); n != store.DefaultPage || err != nil {
		t.Errorf("nothing said: %d %v", n, err)
	}
	for _, first := range []int{1, 100} {
		if n, err := store.PageSize(&first); n != first || err != nil {
			t.Errorf("%d: %d %v", first, n, err)
		}
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
		last := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", text[len(text)-1])
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
