package bridge_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// madeID matches the ids in responses.
var madeID = regexp.MustCompile(`(?:resp_|msg_|fc_|call_|chatcmpl-)[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{22}(?:\.\d+)?`)

// TestRecordedRequests replays requests of SDKs. clients/ runs the SDKs themselves, except the one for
// Python. {{n.i}} in a request is the i-th id of the n-th response.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	var recorded []struct {
		Client   string
		Requests []struct {
			Path string
			Body json.RawMessage
		}
	}
	text, err := os.ReadFile("testdata/recorded.json")
	if err == nil {
		err = json.Unmarshal(text, &recorded)
	}
	if err != nil || len(recorded) == 0 {
		t.Fatal(err)
	}
	for _, r := range recorded {
		t.Run(r.Client, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, weather(), nil)
			var ids []string
			for n, request := range r.Requests {
				a := b.send(request.Path, strings.NewReplacer(ids...).Replace(string(request.Body)))
				if a.StatusCode != http.StatusOK || strings.HasPrefix(a.Header.Get("Content-Type"), "text/event-stream") &&
					(!strings.HasSuffix(a.text, "data: [DONE]\n\n") || strings.Contains(a.text, "event: error")) {
					t.Fatalf("request %d: %d %s", n, a.StatusCode, a.text)
				}
				seen := map[string]bool{}
				for _, id := range madeID.FindAllString(a.text, -1) {
					if !seen[id] {
						ids = append(ids, fmt.Sprintf("{{%d.%d}}", n, len(seen)), id)
						seen[id] = true
					}
				}
			}
			b.expectCharges(len(r.Requests))
			if n := storetest.CountRows(t, b.store, `SELECT count(*) FROM conversations`); n != 1 {
				t.Errorf("%d conversations", n)
			}
		})
	}
}
