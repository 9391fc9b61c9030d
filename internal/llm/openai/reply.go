package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"agentchat/internal/llm/upstream"
)

const (
	// restOfUsage is how long the counts are waited for that follow the end of a text.
	restOfUsage = 2 * time.Second
	// restOfStream is how long the end of a stream is waited for that has said [DONE], so that its connection can be kept.
	restOfStream = 100 * time.Millisecond
)

// replyBody is an answer's body in the shape that the library can read: chunks, each with at most one choice, its finish reason
// one of ours, and a usage of credible numbers only. The library alone takes a stream that was cut for a whole one, gives up at
// numbers of the wrong type, and reads nothing in the answer of a server that does not stream.
type replyBody struct {
	ctx    context.Context // the request's
	events events
	opened bool
	first  byte // of the answer
	some   bool // an event was read
	ended  bool // a finish reason was given
	over   bool // nothing more is read

	awaited bool // these are the next event, or what is in its place
	event   event
	err     error
}

func newReplyBody(ctx context.Context, source io.Reader) upstream.Body {
	return &replyBody{ctx: ctx, events: events{source: bufio.NewReaderSize(source, 512)}} // small, for idle streams
}

// Await implements upstream.Body: it waits for the next event, or for the beginning of an answer that has none.
func (b *replyBody) Await() {
	if b.awaited || b.over {
		return
	}
	b.awaited = true
	if !b.opened {
		b.opened = true
		if b.first, b.err = b.open(); b.err != nil || b.first == '{' {
			return
		}
	}
	b.event, b.err = b.events.next()
}

// Begun implements upstream.Body.
func (b *replyBody) Begun() bool {
	come, _ := b.events.source.Peek(b.events.source.Buffered())
	return bytes.Contains(come, []byte("data:"))
}

var done = []byte("[DONE]")

// next returns the next chunk, nil for one that holds nothing of use, and io.EOF once there is no other.
func (b *replyBody) next() ([]byte, error) {
	if b.over {
		return b.end()
	}
	b.Await()
	if b.first == '{' {
		return b.whole()
	}
	ev, err := b.event, b.err
	b.awaited, b.event, b.err = false, event{}, nil
	switch {
	case err != nil && b.ended: // the text is whole, whatever became of what follows it
		return b.end()
	case errors.Is(err, io.EOF) && b.first != 0 && !b.some:
		return nil, upstream.ErrNotReply
	case err != nil:
		return nil, upstream.ReadError(err)
	}
	b.some = true
	if bytes.HasPrefix(ev.data, done) {
		upstream.EndSoon(b.ctx, restOfStream)
		_, _ = io.Copy(io.Discard, b.events.source) // ends with the stream or its request, and is bounded
		return b.end()
	}
	var chunk wireChunk
	if err := json.Unmarshal(ev.data, &chunk); err != nil {
		return nil, upstream.ReadError(err)
	}
	if ev.name == "error" || chunk.isError() {
		return nil, innerError(ev.data)
	}
	return b.normalise(chunk)
}

// open skips what may stand before an answer, and returns its first byte without reading it.
func (b *replyBody) open() (byte, error) {
	for {
		first, err := b.events.source.ReadByte()
		if err != nil {
			return 0, err
		}
		if strings.IndexByte(" \t\r\n\xEF\xBB\xBF", first) < 0 { // blanks and the byte-order mark
			return first, b.events.source.UnreadByte()
		}
	}
}

// whole reads the answer of a server that does not stream.
func (b *replyBody) whole() ([]byte, error) {
	body, err := io.ReadAll(b.events.source)
	if err != nil {
		return nil, upstream.ReadError(err)
	}
	var chunk wireChunk
	if err := json.Unmarshal(body, &chunk); err != nil {
		return nil, upstream.ReadError(err)
	}
	switch {
	case chunk.isError():
		return nil, innerError(body)
	case len(chunk.Choices) == 0:
		return nil, upstream.ErrNotReply
	}
	b.over = true
	return b.normalise(chunk)
}

// end returns what ends the library's stream. A text that a server has declared whole without a reason was ended by the model.
func (b *replyBody) end() ([]byte, error) {
	if b.ended {
		return nil, io.EOF
	}
	stop, err := json.Marshal(plainChunk{Choices: []plainChoice{{FinishReason: finishStop}}})
	if err != nil {
		return nil, fmt.Errorf("writing a chunk: %w", err)
	}
	return stop, io.EOF
}

// wireChunk is what is read of a chunk or of a whole answer
// (https://platform.openai.com/docs/api-reference/chat-streaming). Decoding replaces what is not valid UTF-8. Raw fields are those
// that differ from server to server, or may be nonsense without making the reply worthless.
type wireChunk struct {
	Object  json.RawMessage `json:"object"`
	Choices []wireChoice    `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type wireChoice struct {
	Index        json.RawMessage `json:"index"`
	Delta        wireMessage     `json:"delta"`
	Message      wireMessage     `json:"message"` // in place of delta in a whole answer
	FinishReason json.RawMessage `json:"finish_reason"`
}

// wireMessage leaves out what is no answer: the thoughts in reasoning_content, and calls of tools, which are never offered.
type wireMessage struct {
	Content json.RawMessage `json:"content"`
	Refusal json.RawMessage `json:"refusal"`
}

// The chunk as the library is given it.
type (
	plainChunk struct {
		Choices []plainChoice `json:"choices"`
		Usage   *plainUsage   `json:"usage,omitempty"`
	}
	plainChoice struct {
		Index        int        `json:"index"`
		Delta        plainDelta `json:"delta"`
		FinishReason string     `json:"finish_reason,omitempty"`
	}
	plainDelta struct {
		Content string `json:"content,omitempty"`
		Refusal string `json:"refusal,omitempty"`
	}
	plainUsage struct {
		Prompt     *int64 `json:"prompt_tokens,omitempty"`
		Completion *int64 `json:"completion_tokens,omitempty"`
	}
)

func (c wireChunk) isError() bool {
	return len(c.Error) > 0 && string(c.Error) != "null" || string(c.Object) == `"error"`
}

// normalise returns a chunk in the library's shape; nothing for one that says nothing.
func (b *replyBody) normalise(chunk wireChunk) ([]byte, error) {
	plain := plainChunk{Choices: []plainChoice{}, Usage: readUsage(chunk.Usage)}
	for _, choice := range chunk.Choices {
		if index := string(choice.Index); index != "" && index != "0" && index != "null" {
			continue // one answer is asked for
		}
		read, err := choice.plain()
		if err != nil {
			return nil, err
		}
		if read != (plainChoice{}) {
			plain.Choices = append(plain.Choices, read)
		}
		if read.FinishReason != "" && !b.ended {
			b.ended = true
			upstream.EndSoon(b.ctx, restOfUsage)
		}
		break
	}
	if len(plain.Choices) == 0 && plain.Usage == nil {
		return nil, nil
	}
	data, err := json.Marshal(plain)
	if err != nil {
		return nil, fmt.Errorf("writing a chunk: %w", err)
	}
	return data, nil
}

func (c wireChoice) plain() (plainChoice, error) {
	read := plainChoice{FinishReason: finishReason(c.FinishReason)}
	for _, message := range []wireMessage{c.Delta, c.Message} {
		content, err := readText(message.Content)
		if err != nil {
			return plainChoice{}, err
		}
		refusal, err := readText(message.Refusal)
		if err != nil {
			return plainChoice{}, err
		}
		read.Delta.Content += content
		read.Delta.Refusal += refusal
	}
	return read, nil
}

// readText reads a text: a string, or the parts of which some servers make it, where parts other than text are thoughts.
func readText(raw json.RawMessage) (text string, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if raw[0] == '"' {
		if err := json.Unmarshal(raw, &text); err != nil {
			return "", upstream.ReadError(err)
		}
		return text, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", upstream.ReadError(err)
	}
	var joined strings.Builder
	for _, part := range parts {
		if part.Type == "text" {
			joined.WriteString(part.Text)
		}
	}
	return joined.String(), nil
}

// readUsage reads a usage; nil for one without a credible number.
func readUsage(raw json.RawMessage) *plainUsage {
	var wire struct {
		Prompt     json.RawMessage `json:"prompt_tokens"`
		Completion json.RawMessage `json:"completion_tokens"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &wire) != nil {
		return nil
	}
	read := plainUsage{Prompt: upstream.Tokens(wire.Prompt), Completion: upstream.Tokens(wire.Completion)}
	if read == (plainUsage{}) {
		return nil
	}
	return &read
}
