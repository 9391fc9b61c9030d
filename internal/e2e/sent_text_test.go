package e2e_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// The ends of a stream whose text could be had for nothing. resets is the client's own end.
const (
	deletesConversations = iota
	deletesAgent
	deletesAccount
	timesOut
	resets
	kindsOfEnds
)

// streamsPerRound is how many streams of an owner are under way when they are ended.
const streamsPerRound = 12

// ending is one stream and what its client received.
type ending struct {
	id            string // of the request
	message       string // of the turn, once the stream has begun
	status        int
	pieces        int
	event, reason string // the last event, and its finish reason
	left          bool   // the client reset the connection
}

// sentText is the setup of TestSentTextIsCharged.
type sentText struct {
	t      *testing.T
	pair   *pair
	random *rand.Rand
}

// TestSentTextIsCharged ends streams at every moment over two replicas: an owner deletes the conversation, the agent or the account,
// the model timeout passes, and clients reset their connections. Text that was received is charged, once.
func TestSentTextIsCharged(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	s := &sentText{t: t, random: newRandom(),
		pair: newPair(t, "MODEL_TIMEOUT=1500ms", "STARTING_CREDITS=1000", "TRUSTED_PROXIES=127.0.0.1/32")}
	auditing(t, s.pair.store)
	for round := range kindsOfEnds {
		s.round(round)
	}
	eventually(t, "no hold is left", func() bool {
		var holds int
		err := s.pair.store.SQL().QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM accounts WHERE credits_held <> 0) +
			(SELECT count(*) FROM turns WHERE state = 'PENDING')`).Scan(&holds)
		return err == nil && holds == 0
	})
	storetest.Audit(t, s.pair.store)
}

// round opens streams of one owner and ends them in one way, at a random moment.
func (s *sentText) round(round int) {
	kind, c := round%kindsOfEnds, client(s.t)
	owner, export := newOwnedExport(s.t, s.pair.replicas[round%2], fmt.Sprintf("10.1.%d.%d", round/250, 1+round%250))
	ends := make([]ending, streamsPerRound)
	var streams sync.WaitGroup
	for i := range ends {
		choice := rand.New(rand.NewPCG(s.random.Uint64(), 0))
		message := fmt.Sprintf("[[sandbox words=%d pace=%dms delay=%dms]]", 5+choice.IntN(60), 1+choice.IntN(20), choice.IntN(300))
		if kind == timesOut {
			message = fmt.Sprintf("[[sandbox words=10000 pace=10ms delay=%dms]]", choice.IntN(2000))
		}
		ctx, leave := context.WithCancel(s.t.Context())
		if kind == resets {
			time.AfterFunc(time.Duration(choice.IntN(600))*time.Millisecond, leave)
		}
		streams.Go(func() {
			defer leave()
			ends[i] = follow(ctx, c, s.pair.chat(i), export.key, message)
		})
	}
	if kind < timesOut {
		<-time.After(time.Duration(s.random.IntN(700)) * time.Millisecond)
		s.remove(kind, owner, export)
	}
	streams.Wait()
	for _, end := range ends {
		s.check(kind, end)
	}
}

// remove deletes what the streams belong to, through one of the two replicas.
func (s *sentText) remove(kind int, owner *browser, export ownedExport) {
	r := s.pair.replicas[s.random.IntN(2)]
	if kind != deletesConversations {
		revocation := revocationOf(map[int]string{deletesAgent: "deleteAgent", deletesAccount: "deleteAccount"}[kind])
		owner.must(r, revocation.mutation, revocation.input(export))
		return
	}
	var agent struct {
		Conversations struct{ Nodes []struct{ ID string } }
	}
	owner.must(r, fmt.Sprintf(`{ agent(id: %q) { conversations(first: 100) { nodes { id } } } }`, export.agent), nil).into(s.t, "agent", &agent)
	for _, c := range agent.Conversations.Nodes {
		owner.must(r, `mutation($input: DeleteConversationInput!) { deleteConversation(input: $input) { deletedConversationId } }`, map[string]any{"id": c.ID})
	}
}

// follow sends a message and reads its stream to the end.
func follow(ctx context.Context, c *http.Client, chat, key, message string) ending {
	end := ending{id: uuid.NewString()}
	resp, lines, err := openStream(ctx, c, chat, key, message, "X-Request-Id", end.id)
	if err != nil {
		end.left = ctx.Err() != nil
		return end
	}
	defer func() { _ = resp.Body.Close() }()
	end.status = resp.StatusCode
	end.read(lines)
	end.left = ctx.Err() != nil && end.event != "end"
	return end
}

var messageID = regexp.MustCompile(`"message_id":"([^"]+)"`)

func (e *ending) read(lines *bufio.Reader) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		if found := messageID.FindStringSubmatch(line); found != nil {
			e.message = found[1]
		}
		if event, ok := strings.CutPrefix(strings.TrimSpace(line), "event: "); ok {
			if e.event = event; event == "delta" {
				e.pieces++
			}
		}
		if e.event == "end" && strings.Contains(line, `"finish_reason":"timeout"`) {
			e.reason = "timeout"
		}
	}
}

// check compares what a client received with the charges of its message.
func (s *sentText) check(kind int, end ending) {
	t := s.t
	var charges int
	var state string
	eventually(t, "the turn is settled", func() bool {
		// Turns that were answered before their conversation was deleted have lost their rows, not their charges.
		err := s.pair.store.SQL().QueryRowContext(t.Context(), `
			WITH t AS (SELECT id, state FROM turns WHERE request_id = $1)
			SELECT coalesce((SELECT state FROM t), 'no row'), (SELECT count(*) FROM credit_entries
				WHERE kind = 'CHARGE' AND turn_id = coalesce((SELECT id FROM t), nullif($2, '')::uuid))`, end.id, end.message).
			Scan(&state, &charges)
		return err == nil && state != "PENDING"
	})
	wrong := charges != 1
	switch {
	case end.left && charges == 0: // its request may have come too late for a turn, or its model may have had no text to send
		wrong = end.pieces > 0
	case end.pieces == 0 && !end.left:
		wrong = charges != 0 || end.event == "end"
	case kind == timesOut:
		wrong = wrong || end.event != "end" || end.reason != "timeout"
	}
	if wrong {
		t.Errorf("kind %d: %+v: state %s, %d charges", kind, end, state, charges)
	}
}
