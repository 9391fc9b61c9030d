package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"time"

	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
	"agentchat/internal/sse"
)

// usageTime is the longest wait for the usage after the finish reason.
const usageTime = 2 * time.Second

// readReply reads an answer: a stream of chunks, or one object from a server that does not stream.
func readReply(req llm.Request, answer *upstream.Answer, text *upstream.Text) (llm.Reply, error) {
	r := &reader{answer: answer, text: text}
	if len(req.Actions) > 0 {
		r.calls = newReplyCalls(req)
	}
	events := sse.NewEvents(answer)
	defer events.Close()
	if err := r.readEvents(events); err != nil {
		return r.counted(llm.Reply{}, false), err
	}
	finish, word := finishOf(r.reason)
	if r.calls.tooLong() || r.reason == "" && r.calls.isCut() {
		finish = llm.FinishLength
	}
	reply, err := text.Reply(finish, word, r.calls.end)
	return r.counted(reply, !r.calls.tooLong()), err
}

// reader reads one answer.
type reader struct {
	answer *upstream.Answer
	text   *upstream.Text
	calls  *replyCalls // nil for a request without actions
	reason string      // the finish reason, "" until it arrives
	// usage holds the last counts in OpenAI's field. vendor holds those in the fields of Groq and
	// llama.cpp, for servers that send no usage.
	usage, vendor tokens
}

// tokens holds the token counts of the prompt, of its cached part and of the reply; nil if a count
// is missing.
type tokens struct{ input, cached, output *int64 }

// counted returns a reply with its token counts. The count of the reply is missing if the answer
// was not read to its end.
func (r *reader) counted(reply llm.Reply, whole bool) llm.Reply {
	tokens := cmp.Or(r.usage, r.vendor)
	reply.Accepted, reply.InputTokens, reply.CachedTokens = true, tokens.input, tokens.cached
	if whole {
		reply.OutputTokens = tokens.output
	}
	return reply
}

// readEvents reads an answer to its end. A server may leave out the finish reason, [DONE] or both.
// Once there is some text or a call, the end of the body ends the reply, unless the connection
// broke.
func (r *reader) readEvents(events *sse.Events) error {
	for {
		r.answer.NextPart()
		ev, err := events.Next()
		switch {
		case err != nil && r.reason != "": // only the usage can be missing
			return nil
		case errors.Is(err, io.EOF) && (r.text.String() != "" || r.calls.any()):
			return nil
		case err != nil:
			return upstream.FormatError(err)
		case bytes.HasPrefix(ev.Data, []byte("[DONE]")):
			r.answer.Drain()
			return nil
		}
		if err := r.readChunk(ev); err != nil || ev.Whole || r.calls.tooLong() {
			return err
		}
	}
}

// readChunk adds the text of a chunk and stores its usage and finish reason.
func (r *reader) readChunk(ev sse.Event) error {
	var c chunk
	if err := json.Unmarshal(ev.Data, &c); err != nil {
		return upstream.FormatError(err)
	}
	if ev.Name == "error" || c.Error != nil || c.Object == "error" {
		return newStatusError(0, ev.Data)
	}
	r.usage = cmp.Or(usageOf(c.Usage), r.usage)
	r.vendor = cmp.Or(groqCounts(c.Groq), llamaCounts(c.Timings), r.vendor)
	if r.calls != nil {
		if err := r.calls.read(ev.Data); err != nil {
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

// usageOf returns the counts of a usage object in JSON. DeepSeek has its own field for cached
// tokens.
func usageOf(text json.RawMessage) tokens {
	usage := upstream.UsageOf(text)
	return tokens{
		input: usage.Tokens("prompt_tokens"),
		cached: cmp.Or(upstream.UsageOf(usage["prompt_tokens_details"]).Tokens("cached_tokens"),
			usage.Tokens("prompt_cache_hit_tokens")),
		output: usage.Tokens("completion_tokens"),
	}
}

// groqCounts returns the counts of Groq's last chunk.
func groqCounts(groq json.RawMessage) tokens { return usageOf(upstream.UsageOf(groq)["usage"]) }

// llamaCounts returns the counts of the last chunk of llama.cpp, which counts the cached tokens of
// a prompt separately.
func llamaCounts(text json.RawMessage) tokens {
	timings := upstream.UsageOf(text)
	prompt, cached := timings.Tokens("prompt_n"), timings.Tokens("cache_n")
	if prompt != nil && cached != nil {
		prompt = new(*prompt + *cached)
	}
	return tokens{input: prompt, cached: cached, output: timings.Tokens("predicted_n")}
}

// chunk is a chunk of a stream or a whole answer
// (https://platform.openai.com/docs/api-reference/chat-streaming). Decoding replaces invalid UTF-8.
// The fields of type any differ between servers.
type chunk struct {
	Object  any             `json:"object"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Groq    json.RawMessage `json:"x_groq"`
	Timings json.RawMessage `json:"timings"` // of llama.cpp
	Error   any             `json:"error"`
}

type choice struct {
	Index        any   `json:"index"`
	Delta        delta `json:"delta"`
	Message      delta `json:"message"` // instead of delta in a whole answer
	FinishReason any   `json:"finish_reason"`
}

// delta leaves out the reasoning, which is not part of the reply, and the tool calls, which
// replyCalls reads.
type delta struct {
	Content content `json:"content"`
	Refusal content `json:"refusal"`
}

// reason returns the finish reason, "" for none. Some servers send an empty one with every chunk. A
// refusal instead of a text comes from the model's safety rules.
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

// content is a text: a string, or a list of parts, where only parts of type text count.
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
