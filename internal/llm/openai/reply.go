package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
)

// usageTime is how long to wait for the usage after the finish reason.
const usageTime = 2 * time.Second

// readReply reads an answer: a stream of chunks, or one object from a server that does not stream.
func readReply(req llm.Request, answer *upstream.Answer, text *upstream.Text) (llm.Reply, error) {
	r := &reader{answer: answer, text: text}
	if len(req.Actions) > 0 {
		r.asked = newAsked(req)
	}
	if err := r.readEvents(upstream.NewEvents(answer)); err != nil {
		return llm.Reply{}, err
	}
	finish, word := finishOf(r.reason)
	if r.asked.tooLong() || r.reason == "" && r.asked.isCut() {
		finish = llm.FinishLength
	}
	reply, err := text.Reply(finish, word, r.asked.end)
	reply.InputTokens, reply.OutputTokens = r.input, r.output
	return reply, err
}

// reader reads one answer.
type reader struct {
	answer        *upstream.Answer
	text          *upstream.Text
	asked         *asked // nil for a request without actions
	reason        string // the finish reason, "" before it came
	input, output *int64
}

// readEvents reads an answer to its end. A server may leave out the reason, [DONE] or both: after some text the answer has ended when its
// body has, as long as the connection did not break.
func (r *reader) readEvents(events *upstream.Events) error {
	for {
		r.answer.NextPart()
		ev, err := events.Next()
		switch {
		case err != nil && r.reason != "": // only the usage may be missing
			return nil
		case errors.Is(err, io.EOF) && (r.text.String() != "" || r.asked.any()):
			return nil
		case err != nil:
			return upstream.FormatError(err)
		case bytes.HasPrefix(ev.Data, []byte("[DONE]")):
			r.answer.Drain()
			return nil
		}
		if err := r.readChunk(ev); err != nil || ev.Whole || r.asked.tooLong() {
			return err
		}
	}
}

// readChunk adds the text of a chunk and keeps its usage and finish reason.
func (r *reader) readChunk(ev upstream.Event) error {
	var c chunk
	if err := json.Unmarshal(ev.Data, &c); err != nil {
		return upstream.FormatError(err)
	}
	if ev.Name == "error" || c.Error != nil || c.Object == "error" {
		return newStatusError(0, ev.Data)
	}
	input, output := upstream.Tokens(c.Usage, "prompt_tokens"), upstream.Tokens(c.Usage, "completion_tokens")
	if input != nil || output != nil {
		r.input, r.output = input, output
	}
	if r.asked != nil {
		if err := r.asked.read(ev.Data); err != nil {
			return upstream.FormatError(err)
		}
	}
	for _, ch := range c.Choices {
		if ch.Index != nil && ch.Index != 0.0 {
			continue // only one choice is requested
		}
		if reason := ch.reason(); reason != "" && r.reason != blockedReason {
			if r.reason == "" {
				r.answer.EndWithin(usageTime)
			}
			r.reason = reason
		}
		return r.text.Add(string(ch.Delta.Content + ch.Message.Content))
	}
	return nil
}

// chunk is a chunk of a stream or a whole answer (https://platform.openai.com/docs/api-reference/chat-streaming). Decoding
// replaces invalid UTF-8. The fields of type any differ between servers.
type chunk struct {
	Object  any             `json:"object"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   any             `json:"error"`
}

type choice struct {
	Index        any   `json:"index"`
	Delta        delta `json:"delta"`
	Message      delta `json:"message"` // instead of delta in a whole answer
	FinishReason any   `json:"finish_reason"`
}

// delta leaves out the reasoning, because it is not part of the reply, and tool calls, which asked reads.
type delta struct {
	Content content `json:"content"`
	Refusal content `json:"refusal"`
}

// reason returns the finish reason, "" for none. Some servers send an empty one with every chunk. A refusal in place of a text is one of
// the model's safety rules.
func (c choice) reason() string {
	if c.Delta.Refusal+c.Message.Refusal != "" {
		return blockedReason
	}
	switch reason := c.FinishReason.(type) {
	case nil:
		return ""
	case string:
		return reason
	}
	return "unknown"
}

// content is a text: a string, or a list of parts, of which only those of type text count.
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return json.Unmarshal(data, (*string)(c))
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, part := range parts {
		if part.Type == "text" {
			*c += content(part.Text)
		}
	}
	return nil
}
