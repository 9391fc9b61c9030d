package bridge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
)

// events returns the data of a stream's events, without the comments.
func (a answer) events() (data []string) {
	for block := range strings.SplitSeq(strings.TrimSpace(a.text), "\n\n") {
		if _, text, found := strings.Cut("\n"+block, "\ndata: "); found {
			data = append(data, text)
		}
	}
	return data
}

// event is an event of Responses.
type event struct {
	Type           string
	SequenceNumber int `json:"sequence_number"`
	Response       got
	Delta          string
	OutputIndex    int `json:"output_index"`
	Item           item
	Error          problem
	Code           string
}

// streamed reads a stream of Responses, and checks what holds for each.
func (a answer) streamed(t *testing.T) (types []string, events []event) {
	t.Helper()
	data := a.events()
	if last := data[len(data)-1]; last != "[DONE]" || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%s ends with %s", a.Header.Get("Content-Type"), last)
	}
	for i, text := range data[:len(data)-1] {
		var e event
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.SequenceNumber != i ||
			!strings.Contains(a.text, "event: "+e.Type+"\ndata: "+text) {
			t.Errorf("event %d: %s (%v)", i, text, err)
		}
		events = append(events, e)
		if len(types) == 0 || types[len(types)-1] != e.Type {
			types = append(types, e.Type)
		}
	}
	return types, events
}

// weather is an agent with an action and the variable instructions.
func weather() storetest.Options {
	return storetest.Options{
		Instructions: "{{instructions}}",
		Variables:    []agent.Variable{{Name: "instructions"}},
		Actions: []agent.Action{{Name: "get_weather", Description: "The weather.",
			Parameters: `{"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}`}},
	}
}

const askWeather = `[[sandbox action=get_weather {\"location\":\"Rome\"}]] [[sandbox tokens=12:34]]`

// TestResponsesStream: a text, then a call, and its result.
func TestResponsesStream(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	types, events := b.send(responses, `{"stream": true, "input": "Hello `+askWeather+`"}`).streamed(t)
	want := []string{
		"response.created", "response.in_progress", "response.output_item.added", "response.content_part.added", "response.output_text.delta",
		"response.output_text.done", "response.content_part.done", "response.output_item.done", "response.output_item.added",
		"response.function_call_arguments.delta", "response.function_call_arguments.done", "response.output_item.done", "response.completed",
	}
	if !slices.Equal(types, want) {
		t.Errorf("events %q", types)
	}
	last := events[len(events)-1].Response
	var text strings.Builder
	for _, e := range events {
		if e.Type == "response.output_text.delta" {
			text.WriteString(e.Delta)
		}
	}
	call := last.calls(t, 1)[0]
	if text.String() != last.text() || last.text() == "" || call.Name != "get_weather" || call.Arguments != `{"location":"Rome"}` ||
		len(call.CallID) != 64 || last.Usage["total_tokens"] != 46.0 || last.AgentChat.Credits != 1 {
		t.Errorf("%+v", last)
	}
	done := b.send(responses, `{"stream": true, "previous_response_id": "`+last.ID+`", "input": [{"type": "function_call_output", "call_id": "`+
		call.CallID+`", "output": "{\"degrees\": 21}"}]}`)
	if types, events = done.streamed(t); !strings.Contains(events[len(events)-1].Response.text(), `{"degrees":21}`) {
		t.Errorf("%q %s", types, done.text)
	}
	b.expectCharges(2)
}

// TestChatStream: chunks with a call, the usage, and the results.
func TestChatStream(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	data := b.send(completions, `{"stream": true, "stream_options": {"include_usage": true}, "messages": [{"role": "user", "content": "`+
		askWeather+`"}]}`).events()
	var calls []toolCall
	var text, reason string
	for _, d := range data[:len(data)-2] {
		var chunk struct {
			Object  string
			Usage   any
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []toolCall `json:"tool_calls"`
				}
				FinishReason string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(d), &chunk); err != nil || len(chunk.Choices) != 1 || chunk.Usage != nil || chunk.Object != "chat.completion.chunk" {
			t.Fatalf("%s (%v)", d, err)
		}
		text += chunk.Choices[0].Delta.Content
		calls = append(calls, chunk.Choices[0].Delta.ToolCalls...)
		reason = chunk.Choices[0].FinishReason
	}
	if data[len(data)-1] != "[DONE]" || !strings.Contains(data[len(data)-2], `"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":34,`) ||
		reason != "tool_calls" || len(calls) != 1 {
		t.Fatalf("%q", data)
	}
	messages := `{"role": "system", "content": "Be brief."}, {"role": "user", "content": "x"}, {"role": "assistant",
		"content": "` + text + `", "tool_calls": [{"id": "` + calls[0].ID + `", "type": "function", "function": {"name": "get_weather"}}]},
		{"role": "tool", "tool_call_id": "` + calls[0].ID + `", "content": "sunny"}`
	whole := b.send(completions, `{"messages": [`+messages+`]}`).ok(t)
	if whole.Choices[0].FinishReason != "stop" || !strings.Contains(whole.text(), "sunny") {
		t.Errorf("%+v", whole)
	}
	messages += `, {"role": "assistant", "content": "It is sunny."}, {"role": "user", "content": "And [[sandbox action=get_weather]]?"}`
	asked := b.send(completions, `{"messages": [`+messages+`]}`).ok(t)
	if len(asked.Choices[0].Message.ToolCalls) != 1 || asked.AgentChat.SessionID != whole.AgentChat.SessionID {
		t.Fatalf("%+v", asked)
	}
	id := asked.Choices[0].Message.ToolCalls[0].ID
	again := b.send(completions, `{"messages": [`+messages+`, {"role": "assistant", "content": null, "tool_calls": [{"id": "`+id+`"}]},
		{"role": "tool", "tool_call_id": "`+id+`", "content": "rainy"}]}`).ok(t)
	if !strings.Contains(again.text(), "rainy") {
		t.Errorf("%+v", again)
	}
	b.expectCharges(4)
}

// TestFinishReasons: each reason in both shapes, whole and streamed.
func TestFinishReasons(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	for _, c := range []struct {
		message, choice, finish, status, reason string
		from                                    int // 1: streams only
	}{
		{"Hello", "auto", "stop", "completed", "", 0},
		{"[[sandbox finish=length]]", "auto", "length", "incomplete", "max_output_tokens", 0},
		{"[[sandbox fail=blocked after=3]]", "auto", "content_filter", "incomplete", "content_filter", 0},
		{"[[sandbox fail=timeout after=3]]", "auto", "length", "incomplete", "max_output_tokens", 1},
		{askWeather, "required", "tool_calls", "completed", "", 0},
		{"Hello", "required", "stop", "incomplete", "tool_choice_not_met", 0},
	} {
		for _, stream := range []bool{false, true}[c.from:] {
			chat := b.send(completions, fmt.Sprintf(`{"stream": %v, "messages": [{"role": "user", "content": "%s"}]}`, stream, c.message))
			if !strings.Contains(chat.text, `"finish_reason":"`+c.finish+`"`) {
				t.Errorf("%s: %s", c.message, chat.text)
			}
			own := b.send(responses, fmt.Sprintf(`{"tool_choice": %q, "input": "%s", "stream": %v}`, c.choice, c.message, stream))
			var g got
			if !stream {
				g = own.ok(t)
			} else {
				types, events := own.streamed(t)
				if g = events[len(events)-1].Response; types[len(types)-1] != "response."+c.status {
					t.Errorf("%s: %q", c.message, types)
				}
			}
			if g.Status != c.status || g.IncompleteDetails == nil != (c.reason == "") || c.reason != "" && g.IncompleteDetails.Reason != c.reason {
				t.Errorf("%s: %+v", c.message, g)
			}
		}
	}
}
