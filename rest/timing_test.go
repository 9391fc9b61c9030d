package rest_test

import (
	"context"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/rest"
)

var timingPart = regexp.MustCompile(`^([a-z]+);dur=(\d+\.\d)$`)

// times returns the names of a reply's Server-Timing, in order, and their milliseconds. A stream has
// it as an announced trailer. The parts must add up to the total.
func (r reply) times(t *testing.T) (names string, ms map[string]float64) {
	t.Helper()
	in, notIn := r.Header, r.Trailer
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
		in, notIn = r.Trailer, r.Header
		if _, announced := r.Trailer["Server-Timing"]; !announced {
			t.Errorf("the trailer is not announced: %v", r.Trailer)
		}
	}
	if values := notIn.Values("Server-Timing"); len(values) > 0 {
		t.Errorf("Server-Timing is in the wrong place: %q", values)
	}
	text := in.Get("Server-Timing")
	if text == "" {
		return "", nil
	}
	ms = map[string]float64{}
	for part := range strings.SplitSeq(text, ", ") {
		found := timingPart.FindStringSubmatch(part)
		if found == nil {
			t.Fatalf("Server-Timing is %q", text)
		}
		names += " " + found[1]
		ms[found[1]], _ = strconv.ParseFloat(found[2], 64)
	}
	if sum := ms["wait"] + ms["model"] + ms["own"]; math.Abs(sum-ms["total"]) > 0.2 || ms["own"] < 0 {
		t.Errorf("the parts of %q add up to %.1f", text, sum)
	}
	return names[1:], ms
}

// TestServerTiming tests which times JSON replies, streams and errors have. The time in which a body
// arrives is in none. TestTimesOfATurn tests the measured waits and calls.
func TestServerTiming(t *testing.T) {
	t.Parallel()
	const wait, model, took = 1_234_567 * time.Nanosecond, 2_399_999 * time.Nanosecond, 5 * time.Millisecond
	result := func(replayed bool, wait, model time.Duration) chat.Result {
		r := answered("Hello")
		r.Answer.Replayed, r.Waited, r.ModelTime = replayed, wait, model
		return r
	}
	for name, c := range map[string]struct {
		result chat.Result
		err    error
		names  string
		// wait and model are their milliseconds.
		wait, model float64
	}{
		"a reply":        {result: result(false, wait, model), names: "wait model own total", wait: 1.2, model: 2.3},
		"a stored reply": {result: result(true, 0, 0), names: "own total"},
		"a joined reply": {result: result(true, wait, 0), names: "wait own total", wait: 1.2},
		"an error":       {err: fault.New(fault.ModelError, "")},
	} {
		for _, stream := range []string{"false", "true"} {
			t.Run(name+", stream "+stream, func(t *testing.T) {
				t.Parallel()
				accesses := make(chan rest.AccessRecord, 1)
				conn, reader := dial(t, serve(t, rest.New(rest.Config{
					Chat: scripted(func(_ context.Context, s chat.Stream) (chat.Result, error) {
						if s != nil {
							s.Begun(chat.BegunTurn{Session: "s", Caller: caller()})
							s.Text("Hello") // the stream begins, and an error ends it
						}
						<-time.After(took)
						return c.result, c.err
					}),
					Observe: func(a rest.AccessRecord) { accesses <- a },
				})))
				text := request(apikey.Mint().Reveal(), `{"message":"hi","stream":`+stream+`}`)
				write(t, conn, text[:len(text)-1])
				<-time.After(10 * took)
				sent := time.Now()
				write(t, conn, text[len(text)-1:])
				names, ms := receive(t, reader, http.MethodPost).times(t)
				most, own := time.Since(sent), (<-accesses).Own
				if names != c.names || names == "" != (own == 0) {
					t.Fatalf("the times are %q, want %q; own is %v", names, c.names, own)
				}
				if names != "" && (ms["wait"] != c.wait || ms["model"] != c.model || ms["total"] < 5 ||
					ms["total"] > most.Seconds()*1e3 || math.Abs(ms["own"]-own.Seconds()*1e3) > 0.3) {
					t.Errorf("the times are %v, own is %v of %v", ms, own, most)
				}
			})
		}
	}
}
