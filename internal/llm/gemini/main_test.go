package gemini_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/llmtest"
)

// TestMain sets a proxy that does not exist, so that every test also shows that loopback is never reached through one, and
// checks that no goroutine is left at the end.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		if err := os.Setenv(name, "http://192.0.2.1:9"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// testKey has the shape of a key, and characters that are escaped in addresses.
const testKey = "AIzaSy-test+secret/0123456789abcdef"

// prompt is in every request, and must be in no error.
const prompt = "my-secret-prompt what is the weather?"

// wait bounds what a test waits for; nothing is expected to take that long.
const wait = 20 * time.Second

// newModel returns the real adapter, pointed at a server.
func newModel(t *testing.T, url string) llm.Model {
	t.Helper()
	return quickModel(t, url, 10*time.Second)
}

func quickModel(t *testing.T, url string, firstByte time.Duration) llm.Model {
	t.Helper()
	m, err := gemini.NewQuick(catalogue.ProviderConfig{Name: "gemini", APIKey: testKey, BaseURL: url}, firstByte)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func request() llm.Request {
	return llm.Request{Model: "gemini-2.5-flash", Instructions: "Be brief.", Message: prompt}
}

// ask asks the model with a deadline that only a hang reaches, and checks what must hold for every error.
func ask(t *testing.T, m llm.Model, req llm.Request) (llm.Reply, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	reply, err := m.Generate(ctx, req, nil)
	checkError(t, err)
	return reply, err
}

// checkError fails when an error is of no kind of a model's, or its text or that of one of its causes holds what it must not.
func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	switch fault.KindOf(err) {
	case fault.ModelError, fault.ModelUnavailable, fault.ModelTimeout, fault.ContentBlocked:
	default:
		t.Errorf("the error has the kind %q: %v", fault.KindOf(err), err)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, secret := range []string{testKey, "secret", "0123456789abcdef", "weather", "http://", "streamGenerateContent"} {
			if strings.Contains(e.Error(), secret) {
				t.Errorf("the error holds %q: %v", secret, e)
			}
		}
		if len(e.Error()) > 300 {
			t.Errorf("the error is %d bytes long", len(e.Error()))
		}
	}
}

// answered waits until the server has ended so many answers.
func answered(t *testing.T, s *llmtest.Server, n int) {
	t.Helper()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for range n {
		select {
		case <-s.Done():
		case <-timer.C:
			t.Fatal("the model server still answers: its connection was not closed")
		}
	}
}

// eventually polls until the condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for !condition() {
		select {
		case <-ticker.C:
		case <-timer.C:
			t.Fatalf("never happened: %s", what)
		}
	}
}

// deadline is a context whose deadline passes when the test says so, not by the clock.
type deadline struct {
	context.Context
	passed chan struct{}
	pass   func()
}

func newDeadline(t *testing.T) *deadline {
	t.Helper()
	passed := make(chan struct{})
	return &deadline{Context: t.Context(), passed: passed, pass: sync.OnceFunc(func() { close(passed) })}
}

func (d *deadline) Done() <-chan struct{} { return d.passed }

func (d *deadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
