package sandbox_test

import (
	"errors"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
)

// isHelp reports whether a reply is the list of directives.
func isHelp(text string) bool {
	return strings.Contains(text, "The sandbox knows these directives")
}

// generate sends one message on a simulated clock, and returns the time that it took.
func generate(t *testing.T,
	req llm.Request) (reply llm.Reply, streamed pieces, took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		reply, err = sandbox.New().Generate(t.Context(), req, streamed.emit)
		took = time.Since(start)
	})
	return reply, streamed, took, err
}

func TestLengthPaceAndDelay(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		message string
		words   int
		took    time.Duration
		finish  llm.FinishReason
	}{
		{"[[sandbox words=1]]", 1, 0, llm.FinishStop},
		{"[[sandbox words=100000]]", 100_000, 0, llm.FinishStop},
		{"[[sandbox words=5000 pace=10ms]]", 5000, 4999 * 10 * time.Millisecond, llm.FinishStop},
		{"a [[sandbox words=20]] b [[sandbox delay=2s]] c", 20, 2 * time.Second, llm.FinishStop},
		{"[[SANDBOX Delay=1M30S WORDS=7]]", 7, 90 * time.Second, llm.FinishStop},
		{"[[[[ sandbox\nwords=3\tdelay=5m ]]]]", 3, 5 * time.Minute, llm.FinishStop},
		{"[[sandbox words=30 finish=length]]", 30, 0, llm.FinishLength},
		{"[[sandbox words=2 delay=1s pace=1m]]", 2, 61 * time.Second, llm.FinishStop},
	} {
		reply, streamed, took, err := generate(t, llm.Request{Message: tc.message})
		if err != nil {
			t.Errorf("%s: %v", tc.message, err)
			continue
		}
		checkReply(t, reply, streamed)
		if n := len(strings.Fields(reply.Text)); n != tc.words || len(streamed) != tc.words ||
			took != tc.took ||
			reply.Finish != tc.finish || *reply.OutputTokens != int64(tc.words) {
			t.Errorf("%s: %d words in %d pieces, %v, %q", tc.message, n, len(streamed), took, reply.Finish)
		}
	}
	whole := say(t, llm.Request{Message: "Hello"}).Text
	cut := say(t, llm.Request{Message: "Hello [[sandbox finish=length]]"})
	if cut.Finish != llm.FinishLength || len(cut.Text) >= len(whole) ||
		!strings.HasPrefix(whole, cut.Text) {
		t.Errorf("cut off: %q, %q", cut.Text, cut.Finish)
	}
}

// TestFailures shows that a failure comes after the requested words and time, and that the log says
// that it was requested. A block after a text ends the reply, as a model's safety rules do.
func TestFailures(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]struct {
		kind    fault.Kind
		retry   bool
		details map[string]any
	}{
		"error":       {kind: fault.ModelError},
		"garbage":     {kind: fault.ModelError},
		"unavailable": {kind: fault.ModelUnavailable, retry: true},
		"timeout":     {kind: fault.ModelTimeout},
		"blocked":     {kind: fault.ContentBlocked},
		"insufficient_credits": {
			kind:    fault.InsufficientCredits,
			details: map[string]any{"credits_required": int64(1), "credits_available": int64(0)},
		},
		"rate_limited": {kind: fault.RateLimited, retry: true},
		"session_busy": {kind: fault.SessionBusy, retry: true},
		"internal":     {kind: fault.Internal},
	} {
		for directive, sent := range map[string]struct {
			words int
			took  time.Duration
		}{
			"[[sandbox fail=" + value + "]]":                                     {0, 0},
			"x [[sandbox fail=" + value + " after=20]]":                          {20, 0},
			"[[sandbox after=3 pace=1s]][[sandbox delay=2s fail=" + value + "]]": {3, 4 * time.Second},
		} {
			reply, streamed, took, err := generate(t, llm.Request{Message: directive})
			if len(streamed) != sent.words || took != sent.took {
				t.Errorf("%s: %d words streamed in %v", directive, len(streamed), took)
			}
			if want.kind == fault.ContentBlocked && sent.words > 0 {
				if err != nil || reply.Finish != llm.FinishBlocked || reply.Text != strings.Join(streamed, "") {
					t.Errorf("%s: %+v, %v", directive, reply, err)
				}
				continue
			}
			f, ok := errors.AsType[*fault.Error](err)
			own := want.kind != fault.ModelTimeout && want.kind != fault.ContentBlocked
			if !ok || f.Kind != want.kind || f.RetryAfter > 0 != want.retry || f.Message != "" ||
				!reflect.DeepEqual(f.Details, want.details) || reply.Text != "" ||
				errors.Is(err, llm.ErrProvider) != own ||
				!strings.Contains(err.Error(), "sandbox directive") {
				t.Errorf("%s: %#v, reply %q", directive, f, reply.Text)
			}
		}
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	var got pieces
	defer func() {
		if text, ok := recover().(string); !ok || !strings.Contains(text, "sandbox") {
			t.Errorf("recovered %q", text)
		}
		if len(got) != 4 {
			t.Errorf("%d words streamed before the panic", len(got))
		}
	}()
	_, err := sandbox.New().Generate(t.Context(),
		llm.Request{Message: "[[sandbox fail=panic after=4]]"}, got.emit)
	t.Errorf("returned %v", err)
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		value   string
		in, out int64
	}{
		{"0:0", 0, 0},
		{"120:30", 120, 30},
		{"-1:9223372036854775807", -1, math.MaxInt64},
		{"-9223372036854775808:1", math.MinInt64, 1},
	} {
		reply := say(t, llm.Request{Message: "[[sandbox tokens=" + tc.value + "]]"})
		if isHelp(reply.Text) || *reply.InputTokens != tc.in || *reply.OutputTokens != tc.out {
			t.Errorf("%s: %d:%d, %q", tc.value, *reply.InputTokens, *reply.OutputTokens, reply.Text)
		}
	}
	history := []llm.EarlierTurn{{User: "three", Assistant: " four\nfive "}}
	reply := say(t, llm.Request{Instructions: "one two", History: history, Message: "six"})
	if words := int64(len(strings.Fields(reply.Text))); *reply.InputTokens != 6 ||
		*reply.OutputTokens != words {
		t.Errorf("counted %d:%d, want 6:%d", *reply.InputTokens, *reply.OutputTokens, words)
	}
}

func TestBadDirectivesGetTheList(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"[[sandbox]]":                                              "directive is empty",
		"[[sandbox foo]]":                                          `no sandbox directive "foo"`,
		"[[sandbox:history]]":                                      `no sandbox directive ":history"`,
		"[[sandbox history=yes]]":                                  "history takes no value",
		"[[sandbox delay]]":                                        "delay needs a value",
		"[[sandbox delay=2]]":                                      "delay=2 is not valid",
		"[[sandbox delay=-1s]]":                                    "delay=-1s is not valid",
		"[[sandbox delay=5m1ns]]":                                  "delay=5m1ns is not valid",
		"[[sandbox pace=2m]]":                                      "pace=2m is not valid",
		"[[sandbox words=0]]":                                      "words=0 is not valid: it must be a whole number from 1 to 100000",
		"[[sandbox words=100001]]":                                 "words=100001 is not valid",
		"[[sandbox words=" + strings.Repeat("9", 30_000):           "not closed with ]]",
		"[[sandbox words=" + strings.Repeat("9", 30_000) + "]]":    "9999… is not valid",
		"[[sandbox fail=maybe]]":                                   "fail=maybe is not valid: it must be one of blocked, error,",
		"[[sandbox fail=error after=-1]]":                          "after=-1 is not valid",
		"[[sandbox after=20]]":                                     "after needs the directive fail",
		"[[sandbox first]]":                                        "first needs the directive fail with one of error, timeout, unavailable",
		"[[sandbox fail=blocked first]]":                           "first needs the directive fail with one of",
		"[[sandbox fail=error first=1]]":                           "first takes no value",
		"[[sandbox finish=stop]]":                                  "finish=stop is not valid",
		"[[sandbox tokens=1:2:3]]":                                 "tokens=1:2:3 is not valid",
		"[[sandbox tokens=9223372036854775808:1]]":                 "is not valid",
		"[[sandbox delay=1s]] and [[sandbox delay=2s]]":            "delay occurs twice",
		"[[sandbox history]] and [[sandbox delay=2s":               "not closed with ]]",
		"[[sandbox words=[[sandbox words=3]]":                      "words=[[sandbox is not valid",
		"[[sandbox fail=panic]] [[sandbox delay=5m]] [[sandbox!]]": `no sandbox directive "!"`,
		"[[sandbox action]]":                                       "action needs a value",
		"[[sandbox action=a.b]]":                                   "action=a.b is not valid: it must be the name of an action",
		"[[sandbox action=x{}]]":                                   "action=x{} is not valid",
		"[[sandbox action=x {\"a\":1]]":                            "are not a JSON object",
		"[[sandbox action=x [1]]]":                                 `no sandbox directive "[1"`,
		"[[sandbox action=again]]":                                 "action=again needs another action",
		"[[sandbox" + strings.Repeat(" action=x", 9) + "]]":        "at most 8 sandbox actions",
	} {
		// The list must be immediate and complete, even if the message has other directives.
		reply, streamed, took, err := generate(t, llm.Request{Message: message})
		if err != nil {
			t.Errorf("%.60q: %v", message, err)
			continue
		}
		checkReply(t, reply, streamed)
		if !isHelp(reply.Text) || !strings.Contains(reply.Text, want) || took != 0 ||
			len(reply.Text) > 2000 {
			t.Errorf("%.60q: after %v %q, want %q", message, took, reply.Text, want)
		}
		if !strings.HasPrefix(reply.Text, "This is turn 1 ") {
			t.Errorf("%.60q: the list does not contain the turn: %q", message, reply.Text)
		}
	}
}

func TestOtherBracketsAreText(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"[[wiki link]]", "[sandbox history]", "[[sandboxes]]", "[[sandbox2 history]]", "[[", "]]", "[[[", "[ [sandbox history]]",
		"[[sand", "[[ſandbox history]]", "sandbox history",
	} {
		reply := say(t, llm.Request{Message: message})
		if isHelp(reply.Text) || !strings.Contains(reply.Text, "You wrote: “"+message+"”") {
			t.Errorf("%q: %q", message, reply.Text)
		}
	}
	reply := say(t, llm.Request{Message: "[[sandbox tokens=1:1]]"})
	if !strings.Contains(reply.Text, "only directives") {
		t.Errorf("a directive alone: %q", reply.Text)
	}
}

// TestOnlyTheFirstModelFails shows that the failure is its provider's, and that the fallback model
// answers the same message.
func TestOnlyTheFirstModelFails(t *testing.T) {
	t.Parallel()
	for fail, kind := range map[string]fault.Kind{"error": fault.ModelError, "timeout": fault.ModelTimeout, "unavailable": fault.ModelUnavailable} {
		req := llm.Request{Message: "Hello [[sandbox fail=" + fail + " first]]"}
		if _, _, _, err := generate(t, req); !fault.Is(err, kind) || !errors.Is(err, llm.ErrProvider) {
			t.Errorf("%s: %v", fail, err)
		}
		req.Fallback = true
		if reply := say(t, req); !strings.Contains(reply.Text, "You wrote: “Hello”") {
			t.Errorf("%s, the fallback: %q", fail, reply.Text)
		}
	}
}

// TestListIsTrue sends each directive of the list, and each of its values of fail. None may be
// answered with the list.
func TestListIsTrue(t *testing.T) {
	t.Parallel()
	list := say(t, llm.Request{Message: "[[sandbox help]]"}).Text
	shown := regexp.MustCompile(`\[\[sandbox [^]]+\]\]`).FindAllString(list, -1)
	_, values, _ := strings.Cut(list, "the values are ")
	values, _, _ = strings.Cut(values, ".")
	names := strings.Split(values, ", ")
	if len(shown) != 14 || len(names) != 10 {
		t.Errorf("the list shows %q, and the values %q of fail", shown, names)
	}
	for _, name := range names {
		if name != "panic" {
			shown = append(shown, "[[sandbox fail="+name+"]]")
		}
	}
	for _, directive := range shown {
		reply, _, _, err := generate(t, llm.Request{Message: directive})
		if isHelp(reply.Text) || strings.Contains(directive, "fail=") != (err != nil) {
			t.Errorf("%s: %q, %v", directive, reply.Text, err)
		}
	}
}
