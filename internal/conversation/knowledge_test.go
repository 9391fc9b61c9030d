package conversation_test

import (
	"fmt"
	"testing"

	"agentchat/internal/conversation"
)

// TestSources shows that sources are in the order of citation, that unknown numbers are ignored,
// and that a turn without knowledge has none.
func TestSources(t *testing.T) {
	t.Parallel()
	text := `{"given":[{"n":1,"source":"019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41","passage":2,"name":"a"},
		{"n":3,"source":"019a8f2e-7d31-7c55-9c1b-5b8f0a6d2e41","passage":1,"name":"b","heading":"h","page":4}],"cited":[3,2,1]}`
	known, err := conversation.DecodeJSON[*conversation.Knowledge](&text)
	if err != nil {
		t.Fatal(known, err)
	}
	var got []string
	for _, s := range known.Sources() {
		got = append(got, fmt.Sprintf("%d %s %d %s %d", s.N, s.Name, s.PassageID, s.Heading, s.Page))
	}
	if want := "[3 b 1 h 4 1 a 2  0]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	none, err := conversation.DecodeJSON[*conversation.Knowledge](nil)
	if err != nil || none.Sources() != nil {
		t.Error(none, err)
	}
	if empty := (&conversation.Knowledge{}).Sources(); empty == nil || len(empty) != 0 {
		t.Error(empty)
	}
}
