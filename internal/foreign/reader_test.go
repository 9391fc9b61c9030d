package foreign_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/foreign"
	"agentchat/internal/testlong"
)

// TestMain lets this program be the reading process: a Reader starts it again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == foreign.Command {
		os.Exit(foreign.Child(os.Args[2:], os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

func TestRead(t *testing.T) {
	t.Parallel()
	r := foreign.NewReader()
	content, err := os.ReadFile("testdata/assistant.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(t.Context(), uuid.Nil, "", content)
	if err != nil || got.Name != "Math tutor" || len(got.Actions) != 2 || len(got.Notes) != 6 {
		t.Errorf("%+v, %v", got, err)
	}
	for range got.File.Sources(nil, nil) {
		t.Error("it has a source")
	}
	got, err = r.Read(t.Context(), uuid.Nil, "", []byte(`{"name": "x"} {"kind": "TEXT"}`))
	if err != nil || got.Name != "x" || got.Notes != nil {
		t.Errorf("our own: %+v, %v", got, err)
	}
	for format, content := range map[foreign.Format]string{
		foreign.Dify:         "app: {}" + strings.Repeat(" ", foreign.MaxFile),
		foreign.OpenAIPrompt: `{"prompt": {"id": "x"}}`,
		foreign.AgentChat:    `{"app": {}}`,
	} {
		if _, err := r.Read(t.Context(), uuid.Nil, format, []byte(content)); !fault.Is(err, fault.InvalidInput) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// bomb has 10^9 values once its aliases are followed.
func bomb() string {
	out := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'i'; c++ {
		out += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" +
			string(c-1) + "]\n"
	}
	return out + "app: *i\n"
}

// TestHostile tests that each file is refused at once.
func TestHostile(t *testing.T) {
	t.Parallel()
	r := foreign.NewReader()
	for name, content := range map[string]string{
		"bomb":  bomb(),
		"lists": strings.Repeat("[", foreign.MaxFile),
		"maps":  strings.Repeat("{a: ", foreign.MaxFile/4),
		"JSON":  strings.Repeat(`{"a":`, foreign.MaxFile/5),
	} {
		start := time.Now()
		_, err := r.Read(t.Context(), uuid.Nil, foreign.Dify, []byte(content))
		if took := time.Since(start); !fault.Is(err, fault.InvalidInput) || took > 2*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}

// TestSlow tests that the reader gives up on files that take too much memory or time, and that other
// files wait no longer than their contexts allow.
func TestSlow(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	r := foreign.NewReader()
	large := "app: [" + strings.Repeat("a,", foreign.MaxFile/2-4) + "]"
	if _, err := r.Read(t.Context(), uuid.Nil, foreign.Dify, []byte(large)); !fault.Is(err, fault.InvalidInput) {
		t.Error(err)
	}
	var slow strings.Builder
	for i := range 90_000 {
		fmt.Fprintf(&slow, "a%d: 1\n", i)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := r.Read(t.Context(), uuid.Nil, foreign.Dify, []byte(slow.String()))
		ended <- err
	}()
	var err error
	for err == nil { // until the other file is read
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err = r.Read(ctx, uuid.Nil, foreign.Dify, []byte("app: {mode: chat}\nmodel_config: {a: 1}"))
		cancel()
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := <-ended; !fault.Is(err, fault.InvalidInput) || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
}
