package e2e_test

import (
	"strings"
	"sync"
	"testing"

	"agentchat/internal/llm/llmtest"
)

// heldModel is a model's server that answers a message only after the message's release.
type heldModel struct {
	server *llmtest.Server
	mu     sync.Mutex
	// releases are closed to release messages, by a text that the message contains.
	releases map[string]chan struct{}
}

func newHeldModel(t *testing.T) *heldModel {
	t.Helper()
	h := &heldModel{server: llmtest.NewOpenAI(t, openAIKey), releases: map[string]chan struct{}{}}
	h.server.Always(func(e *llmtest.Exchange) {
		select {
		case <-h.release(e.Request.Body):
			llmtest.Text("Aye.")(e)
		case <-e.Over:
		}
	})
	return h
}

// hold holds messages that contain a text until release is called.
func (h *heldModel) hold(text string) (release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	gate := make(chan struct{})
	h.releases[text] = gate
	return sync.OnceFunc(func() { close(gate) })
}

func (h *heldModel) release(body []byte) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	for text, gate := range h.releases {
		if strings.Contains(string(body), text) {
			return gate
		}
	}
	open := make(chan struct{})
	close(open)
	return open
}
