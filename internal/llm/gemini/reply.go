package gemini

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/google/generative-ai-go/genai"

	"agentchat/internal/llm/upstream"
)

// replyBody is an answer's body in the shape that the library can read: a JSON array of chunks, each with at most one
// candidate of text parts and finish reasons as numbers. The library alone panics at parts that it does not know, drops finish
// reasons that are newer than it is, gives up at a usage that does not fit 32 bits, and takes an array without its end for
// a whole one.
type replyBody struct {
	source  *bufio.Reader
	decoder *json.Decoder
	usage   *usage
	chunks  int
	opened  bool
	pending []byte
	err     error
}

func newReplyBody(ctx context.Context, source io.Reader) upstream.Body {
	used, ok := ctx.Value(usageKey{}).(*usage)
	if !ok {
		used = &usage{}
	}
	buffered := bufio.NewReaderSize(source, 512) // small, for idle streams
	return &replyBody{source: buffered, decoder: json.NewDecoder(buffered), usage: used}
}

// between is what stands between chunks.
const between = " \t\r\n,["

// Await implements upstream.Body: it waits until a chunk, or the end, has begun.
func (b *replyBody) Await() {
	if len(b.pending) > 0 || b.err != nil || b.hasRead() {
		return
	}
	for n := 1; ; n++ {
		begun, err := b.source.Peek(n)
		if err != nil || strings.IndexByte(between, begun[n-1]) < 0 {
			return
		}
	}
}

// Begun implements upstream.Body.
func (b *replyBody) Begun() bool {
	come, _ := b.source.Peek(b.source.Buffered())
	return len(b.pending) > 0 || b.hasRead() || len(bytes.Trim(come, between)) > 0
}

// hasRead reports whether the decoder has the beginning of a chunk already.
func (b *replyBody) hasRead() bool {
	rest, ok := b.decoder.Buffered().(*bytes.Reader)
	for ok && rest.Len() > 0 {
		if next, err := rest.ReadByte(); err != nil || strings.IndexByte(between, next) < 0 {
			return true
		}
	}
	return !ok
}

// Read returns chunks as they arrive; each is passed on before the next is waited for.
func (b *replyBody) Read(p []byte) (int, error) {
	for len(b.pending) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.pending, b.err = b.next()
	}
	n := copy(p, b.pending)
	b.pending = b.pending[n:]
	return n, nil
}

// next returns the next piece of the array: its opening, one chunk, or its end together with io.EOF.
func (b *replyBody) next() ([]byte, error) {
	if !b.opened {
		token, err := b.decoder.Token()
		if err != nil {
			return nil, upstream.ReadError(err)
		}
		if token != json.Delim('[') {
			return nil, upstream.ErrNotReply
		}
		b.opened = true
		return []byte("["), nil
	}
	if !b.decoder.More() {
		if _, err := b.decoder.Token(); err != nil {
			return nil, upstream.ReadError(err)
		}
		return []byte("]"), io.EOF
	}
	var chunk wireChunk
	if err := b.decoder.Decode(&chunk); err != nil {
		return nil, upstream.ReadError(err)
	}
	piece, err := b.normalise(chunk)
	if err != nil {
		return nil, err
	}
	if b.chunks++; b.chunks > 1 {
		piece = append([]byte(","), piece...)
	}
	return piece, nil
}

// wireChunk is what is read of a chunk (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse). Decoding
// replaces what is not valid UTF-8. Raw fields are those that may be nonsense without making the reply worthless.
type wireChunk struct {
	Candidates     []wireCandidate `json:"candidates"`
	PromptFeedback struct {
		BlockReason json.RawMessage `json:"blockReason"`
	} `json:"promptFeedback"`
	UsageMetadata json.RawMessage `json:"usageMetadata"`
	Error         *errorBody      `json:"error"`
}

type wireCandidate struct {
	Content struct {
		Parts []struct {
			Text    string `json:"text"`
			Thought bool   `json:"thought"`
		} `json:"parts"`
	} `json:"content"`
	FinishReason json.RawMessage `json:"finishReason"`
}

// The chunk as the library is given it.
type (
	plainChunk struct {
		Candidates     []plainCandidate `json:"candidates,omitempty"`
		PromptFeedback *plainFeedback   `json:"promptFeedback,omitempty"`
	}
	plainCandidate struct {
		Index        int                `json:"index"`
		Content      plainContent       `json:"content"`
		FinishReason genai.FinishReason `json:"finishReason"`
	}
	plainContent struct {
		Role  string      `json:"role"`
		Parts []plainPart `json:"parts"`
	}
	plainPart struct {
		Text string `json:"text"`
	}
	plainFeedback struct {
		BlockReason genai.BlockReason `json:"blockReason"`
	}
)

// normalise returns a chunk in the library's shape, and keeps its usage. An error in the middle of an answer is returned.
func (b *replyBody) normalise(chunk wireChunk) ([]byte, error) {
	if chunk.Error != nil {
		return nil, chunk.Error.statusError(upstream.InnerStatus(chunk.Error.Code))
	}
	b.usage.report(chunk.UsageMetadata)
	var plain plainChunk
	if reason := blockReason(chunk.PromptFeedback.BlockReason); reason != genai.BlockReasonUnspecified {
		plain.PromptFeedback = &plainFeedback{BlockReason: reason}
	}
	if len(chunk.Candidates) > 0 {
		candidate := plainCandidate{
			// Each chunk's own, for the library joins all texts of one index again with every chunk that arrives: 420 MiB of
			// copies for a reply of 1 MiB in pieces of 1 KiB.
			Index:        b.chunks,
			Content:      plainContent{Role: "model", Parts: []plainPart{}},
			FinishReason: finishReason(chunk.Candidates[0].FinishReason),
		}
		for _, part := range chunk.Candidates[0].Content.Parts {
			if part.Text != "" && !part.Thought {
				candidate.Content.Parts = append(candidate.Content.Parts, plainPart{Text: part.Text})
			}
		}
		plain.Candidates = []plainCandidate{candidate}
	}
	piece, err := json.Marshal(plain)
	if err != nil {
		return nil, fmt.Errorf("writing a chunk: %w", err)
	}
	return piece, nil
}

// The finish reasons that are newer than the library.
const (
	finishBlocklist   genai.FinishReason = 7
	finishProhibited  genai.FinishReason = 8
	finishSPII        genai.FinishReason = 9
	finishImageSafety genai.FinishReason = 11
)

var finishNames = map[string]genai.FinishReason{
	"FINISH_REASON_UNSPECIFIED": genai.FinishReasonUnspecified, "STOP": genai.FinishReasonStop,
	"MAX_TOKENS": genai.FinishReasonMaxTokens, "SAFETY": genai.FinishReasonSafety,
	"RECITATION": genai.FinishReasonRecitation, "BLOCKLIST": finishBlocklist, "PROHIBITED_CONTENT": finishProhibited,
	"SPII": finishSPII, "IMAGE_SAFETY": finishImageSafety,
}

// finishReason reads a finish reason: the number that the library asks for, or the name that other servers send.
func finishReason(raw json.RawMessage) genai.FinishReason {
	number, name, absent := enum(raw)
	if absent {
		return genai.FinishReasonUnspecified
	}
	if name == "" {
		return genai.FinishReason(number)
	}
	if reason, ok := finishNames[name]; ok {
		return reason
	}
	return genai.FinishReasonOther
}

// blockReason reads why a prompt was blocked. The library knows two reasons; every newer one is OTHER to it.
func blockReason(raw json.RawMessage) genai.BlockReason {
	switch number, name, absent := enum(raw); {
	case absent, name == "BLOCK_REASON_UNSPECIFIED", name == "" && number == 0:
		return genai.BlockReasonUnspecified
	case name == "SAFETY", name == "" && number == 1:
		return genai.BlockReasonSafety
	}
	return genai.BlockReasonOther
}

// enum reads a value of an enumeration: its number, or else its name, which is never empty then.
func enum(raw json.RawMessage) (number int32, name string, absent bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return 0, "", true
	}
	if json.Unmarshal(raw, &number) == nil {
		return number, "", false
	}
	if json.Unmarshal(raw, &name) == nil && name != "" {
		return 0, name, false
	}
	return 0, "?", false
}

// usage is what an answer says of its tokens; nil where it says nothing credible. It passes the library by, which gives up at
// numbers that it does not like.
type usage struct{ input, output *int64 }

type usageKey struct{}

func withUsage(ctx context.Context, u *usage) context.Context {
	return context.WithValue(ctx, usageKey{}, u)
}

// report keeps a chunk's usage. The last one of an answer counts.
func (u *usage) report(raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	u.input, u.output = nil, nil
	var wire struct {
		Prompt     json.RawMessage `json:"promptTokenCount"`
		Candidates json.RawMessage `json:"candidatesTokenCount"`
		Thoughts   json.RawMessage `json:"thoughtsTokenCount"`
	}
	if json.Unmarshal(raw, &wire) != nil {
		return
	}
	u.input, u.output = upstream.Tokens(wire.Prompt), upstream.Tokens(wire.Candidates)
	if thoughts := upstream.Tokens(wire.Thoughts); thoughts != nil && u.output != nil {
		*u.output += *thoughts
	}
}
