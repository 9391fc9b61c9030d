package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

func TestChatMetrics(t *testing.T) {
	t.Parallel()
	s := startService(t, onDatabase(t, storetest.URL(t)), "--demo")
	for message, want := range map[string]int{"hello [[sandbox tokens=7:9]]": http.StatusOK,
		"[[sandbox fail=error]]":       http.StatusBadGateway,
		"[[sandbox fail=unavailable]]": http.StatusServiceUnavailable, "": http.StatusBadRequest} {
		if got, _ := say(t, s.Chat, s.Demo.APIKey, "session", message); got != want {
			t.Fatalf("%q: status %d, want %d", message, got, want)
		}
	}
	until(t, "the reply in the background is answered", func() bool {
		return inBackground(t, s.Chat, s.Demo.APIKey) == http.StatusOK
	})
	until(t, "it is counted", func() bool {
		return strings.Contains(read(t, s.Ops+"/metrics"), "agentchat_credits_charged_total 2\n")
	})
	text := read(t, s.Ops+"/metrics")
	const model = `model="sandbox/assistant"`
	for _, line := range []string{
		`agentchat_chats_total{code="",` + model + `} 2`, `agentchat_chats_total{code="",model=""} 1`, // a replay
		`agentchat_chats_total{code="model_error",` + model + `} 1`,
		`agentchat_chats_total{code="invalid_request",model=""} 1`,
		`agentchat_chat_seconds_count 2`, `agentchat_own_seconds_count 2`,
		`agentchat_model_seconds_count{` + model + `,provider="sandbox"} 4`,
		`agentchat_model_failures_total{cause="bad_answer",` + model + `,provider="sandbox"} 1`,
		`agentchat_model_failures_total{cause="away",` + model + `,provider="sandbox"} 1`,
		`agentchat_tokens_total{kind="input",` + model + `} 7`, `agentchat_tokens_total{kind="output",` +
			model + `} 9`,
		`agentchat_replicas 1`, `agentchat_released_turns_total{reason="replica"} 0`,
		`agentchat_holds_pending 0`, `agentchat_oldest_hold_seconds 0`, `agentchat_queue_waiting 0`, `agentchat_admin_refused_total 0`,
		`# TYPE agentchat_db_wait_seconds histogram`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("there is no %s", line)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "agentchat_") && strings.Contains(line, "account") {
			t.Errorf("a label of an account: %s", line)
		}
	}
	// The log has the cause of each failure.
	causes := map[string]int{}
	for line := range strings.Lines(s.stderr.String()) {
		var entry struct{ Msg, Cause, Model, Account, Turn, RequestID, Error string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "model call failed" &&
			entry.Model != "" && entry.Account != "" &&
			entry.Turn != "" && entry.Error != "" {
			causes[entry.Cause]++
		}
	}
	if causes["bad_answer"] != 1 || causes["away"] != 1 || len(causes) != 2 {
		t.Errorf("logged causes: %v in %s", causes, s.stderr.String())
	}
	// Held credits are counted while a message is in flight.
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = say(t, s.Chat, s.Demo.APIKey, "another", "[[sandbox delay=2s]]")
	}()
	until(t, "a hold is counted",
		func() bool { return strings.Contains(read(t, s.Ops+"/metrics"), "agentchat_holds_pending 1\n") })
	<-done
	until(t, "the hold is released",
		func() bool { return strings.Contains(read(t, s.Ops+"/metrics"), "agentchat_holds_pending 0\n") })
}

// TestWatchedMetricsExist tests that all metrics in the alert rules and the dashboard exist.
func TestWatchedMetricsExist(t *testing.T) {
	t.Parallel()
	// only models of providers have circuits
	s := startService(t, onDatabase(t, storetest.URL(t), "GEMINI_API_KEY=none"), "--demo")
	for _, message := range []string{"hello [[sandbox tokens=7:9]]", "[[sandbox fail=error]]"} {
		_, _ = say(t, s.Chat, s.Demo.APIKey, "session", message)
	}
	text := read(t, s.Ops+"/metrics")
	name := regexp.MustCompile(`\b(agentchat|process)_[a-z_]+`)
	for _, path := range []string{"../../deploy/prometheus/alerts.yml", "../../deploy/grafana/agentchat.json"} {
		content, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		found := name.FindAllString(string(content), -1)
		if len(found) < 5 {
			t.Errorf("%s names %d metrics", path, len(found))
		}
		for _, metric := range found {
			if !strings.Contains(text, "\n"+metric+"{") && !strings.Contains(text, "\n"+metric+" ") {
				t.Errorf("%s uses %s, which does not exist", path, metric)
			}
		}
	}
}

// inBackground sends the same message in the background at each call, and returns the status.
func inBackground(t *testing.T, address, key string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address,
		strings.NewReader(`{"message":"[[sandbox tokens=-1:-1]]","background":true}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{
		"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}, "Idempotency-Key": {"k"},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}
