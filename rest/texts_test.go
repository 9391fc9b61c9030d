package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// say sends a message, in a session unless that is empty.
func (b *bench) say(t *testing.T, key, session, message string) answer {
	t.Helper()
	body := map[string]string{"message": message}
	if session != "" {
		body["session_id"] = session
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return sendRaw(t, b.address, request(key, string(text)))[0].answer(t)
}

// askForHistory is the end of a message whose reply is the texts of the prompt.
const askForHistory = " [[sandbox history]]"

func (a answer) history(t *testing.T) (texts []string) {
	t.Helper()
	var context struct{ Turns []struct{ Text string } }
	if err := json.Unmarshal([]byte(a.Reply), &context); err != nil || len(context.Turns) == 0 {
		t.Fatalf("no history: %v: %.200q", err, a.Reply)
	}
	for _, turn := range context.Turns {
		texts = append(texts, turn.Text)
	}
	return texts
}

func TestTextIsStoredAndSentExactly(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	for _, text := range []string{
		"😀", `\u0000`, `\ud800`, "\"\\/\b\f\n\r\té", "e" +
			strings.Repeat("\u0301", 16_000), "a\u202eb", "a\u2028b\u2029c\u0085d",
		"\uffff\ufffe\U0010ffff", "\x01\x1b[31m\x7f", "\ufffd", "\ufeffx", "  \n\t ", "a\r\nb\rc", "jose\u0301", "jos\u00e9",
		"<script>&amp;</script>\u003c%s%d{{.}}$1", `'; DROP TABLE turns; --`,
		strings.Repeat("😀", 32_768-len(askForHistory)), strings.Repeat("\u0301", 32_768-len(askForHistory)),
	} {
		want := text + askForHistory
		a := b.say(t, b.fixture.Key.Reveal(), "", want)
		if texts := a.history(t); len(texts) != 1 || texts[0] != want {
			t.Errorf("the model got %.100q, want %.100q", texts, want)
		}
		var stored string
		err := b.store.SQL().QueryRowContext(t.Context(), `SELECT message FROM turns WHERE id = $1`,
			a.MessageID).Scan(&stored)
		if err != nil || stored != want {
			t.Errorf("stored as %.100q, want %.100q, %v", stored, want, err)
		}
	}
}

// sessions are session IDs that look alike or that software often changes.
var sessions = []string{
	strings.Repeat("😀", 255), strings.Repeat("😀", 254), strings.Repeat("s",
		255), "+55 11 9999", "+55119999", "5511 9999", "ada@example.com", "Ada@example.com",
	"jos\u00e9", "jose\u0301", "jose", "JOS\u00c9", "jos\u00e9 ", " jos\u00e9", "jos\u00e9\u00a0", "jos\u00e9\u200b", "jos\u00e9\ufe0f", "\u79c1", "\u2f2d", "\uf9c4", "a/b", "a%2Fb", "a\\b", "a", "A",
	"\uff21", "\u0430", "0", "00", "0.0", "Null", "Undefined", "true", " ", "  ", "\u3000", "\u200b", "\ufeff", "'; --", "%", "_", "*", "..", "{}", "[]", "\"", "<b>", "a b", "a\u00a0b", "a+b", "ß", "ss", "SS",
	"ı", "i", "I", "İ", "ﬁ", "fi", "\u202ea", "\u2066a", "e\u0301", "\u00e9", "\u1112\u1161\u11ab", "\ud55c", "\u00c5", "\u212b", "A\u030a", "µ", "μ", "①", "1", "²", "2",
	"\uffff", "\U0010ffff", "\ufffd",
}

// A session ID comes back byte for byte, and similar ones never share a conversation.
func TestSessionsAreNeverMerged(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Credits: 10_000}, unobserved)
	for round := 1; round <= 2; round++ {
		for i, session := range sessions {
			a := b.say(t, b.fixture.Key.Reveal(), session, fmt.Sprintf("session %d round %d.", i, round)+askForHistory)
			if a.SessionID != session {
				t.Errorf("session %+q came back as %+q", session, a.SessionID)
			}
			if texts := a.history(t); len(texts) != 2*round-1 ||
				!strings.HasPrefix(texts[0], fmt.Sprintf("session %d round 1.", i)) {
				t.Errorf("session %+q, message %d: the conversation has %d texts and begins with %.80q",
					session, round, len(texts), texts[0])
			}
		}
	}
	var conversations int
	err := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM conversations`).Scan(&conversations)
	if err != nil || conversations != len(sessions) {
		t.Errorf("%d sessions made %d conversations, %v", len(sessions), conversations, err)
	}
}
