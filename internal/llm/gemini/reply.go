package gemini

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/generative-ai-go/genai"

	"agentchat/internal/llm/upstream"
)

// answerBody rewrites the body of an answer into a form that the library can read: a JSON array of chunks, each with at most one
// candidate, of text parts only, and finish reasons as numbers. The library alone panics at unknown parts, drops newer finish reasons,
// fails at a usage over 32 bits, and takes an array without its end for a whole one.
type answerBody struct {
	answer  *upstream.Answer
	decoder *json.Decoder
	usage   *usage
	chunks  int
	opened  bool
	pending []byte // rewritten and not read yet
	err     error  // after pending
}

func newAnswerBody(ctx context.Context, answer *upstream.Answer) *answerBody {
	used, ok := ctx.Value(usageKey{}).(*usage)
	if !ok {
		used = &usage{}
	}
	return &answerBody{answer: answer, decoder: json.NewDecoder(answer), usage: used}
}

// Read returns each chunk as it arrives.
func (b *answerBody) Read(p []byte) (int, error) {
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

// Close closes the answer.
func (b *answerBody) Close() error { return b.answer.Close() }

// next returns the next piece of the array: its opening, a chunk, or its end together with io.EOF.
func (b *answerBody) next() ([]byte, error) {
	if !b.opened {
		token, err := b.decoder.Token()
		if err != nil {
			return nil, upstream.FormatError(err)
		}
		if token != json.Delim('[') {
			return nil, upstream.ErrFormat
		}
		b.opened = true
		return []byte("["), nil
	}
	if !b.decoder.More() {
		if _, err := b.decoder.Token(); err != nil {
			return nil, upstream.FormatError(err)
		}
		b.answer.Drain()
		return []byte("]"), io.EOF
	}
	var chunk wireChunk
	if err := b.decoder.Decode(&chunk); err != nil {
		return nil, upstream.FormatError(err)
	}
	piece, err := b.rewrite(chunk)
	if err != nil {
		return nil, err
	}
	if b.chunks++; b.chunks > 1 {
		piece = append([]byte(","), piece...)
	}
	return piece, nil
}

// wireChunk is a chunk of an answer (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse). Decoding
// replaces invalid UTF-8. Raw fields can be wrong without making the reply worthless.
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

// A chunk as it is passed to the library.
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

// rewrite returns a chunk in the library's form, and keeps its usage. It returns an error that came in place of a chunk.
func (b *answerBody) rewrite(chunk wireChunk) ([]byte, error) {
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
			// A new index for each chunk. With every chunk, the library joins all texts of the same index again: 420 MiB of copies
			// for a reply of 1 MiB in pieces of 1 KiB.
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

// Finish reasons that are newer than the library.
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

// finishReason parses a finish reason: a number, as the library requests it, or a name, as other servers send it.
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

// blockReason parses why a prompt was blocked. The library knows two reasons; a newer one becomes OTHER.
func blockReason(raw json.RawMessage) genai.BlockReason {
	switch number, name, absent := enum(raw); {
	case absent, name == "BLOCK_REASON_UNSPECIFIED", name == "" && number == 0:
		return genai.BlockReasonUnspecified
	case name == "SAFETY", name == "" && number == 1:
		return genai.BlockReasonSafety
	}
	return genai.BlockReasonOther
}

// enum parses a value of an enumeration: its number, or else its name, which is then not empty.
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

// usage is the usage of an answer, nil where there is no possible number. It bypasses the library, which fails at numbers over
// 32 bits.
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
	u.input, u.output = upstream.Tokens(raw, "promptTokenCount"), upstream.Tokens(raw, "candidatesTokenCount")
	if thoughts := upstream.Tokens(raw, "thoughtsTokenCount"); thoughts != nil && u.output != nil {
		*u.output += *thoughts
	}
}
