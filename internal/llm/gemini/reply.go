package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"

	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
	"agentchat/internal/memory"
)

// answerBody rewrites the body of an answer into a form that the library can read: a JSON array of
// chunks, each with at most one candidate, of text parts only. By itself, the library panics at
// unknown parts and accepts a truncated array as complete. The finish reason and the usage bypass
// the library in ending.
type answerBody struct {
	answer  *upstream.Answer
	decoder *json.Decoder
	ending  *ending
	chunks  int
	opened  bool
	pending []byte // rewritten and not read yet
	err     error  // after pending
}

func newAnswerBody(ctx context.Context, answer *upstream.Answer) *answerBody {
	return &answerBody{answer: answer, decoder: json.NewDecoder(answer), ending: endingOf(ctx)}
}

// Read returns each chunk on arrival.
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
	b.answer.NextPart()
	var chunk wireChunk
	var err error
	more := b.decoder.More()
	if more {
		err = b.decoder.Decode(&chunk)
	} else {
		_, err = b.decoder.Token()
	}
	switch {
	case !more && err == nil, errors.Is(err, io.EOF): // a body may lack the final ], unless the connection broke
		b.answer.Drain()
		return []byte("]"), io.EOF
	case err != nil:
		return nil, upstream.FormatError(err)
	}
	piece, err := b.rewrite(chunk)
	if err != nil {
		return nil, err
	}
	if b.ending.calls.tooLong() {
		b.ending.finish = llm.FinishLength
		return []byte("]"), io.EOF
	}
	if b.chunks++; b.chunks > 1 {
		piece = append([]byte(","), piece...)
	}
	return piece, nil
}

// wireChunk is a chunk of an answer
// (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse). Decoding replaces
// invalid UTF-8. An invalid raw field does not invalidate the reply.
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
		Parts []json.RawMessage `json:"parts"`
	} `json:"content"`
	FinishReason json.RawMessage `json:"finishReason"`
}

// The form of a chunk for the library.
type (
	plainChunk struct {
		Candidates []plainCandidate `json:"candidates,omitempty"`
	}
	plainCandidate struct {
		Index   int          `json:"index"`
		Content plainContent `json:"content"`
	}
	plainContent struct {
		Role  string      `json:"role"`
		Parts []plainPart `json:"parts"`
	}
	plainPart struct {
		Text string `json:"text"`
	}
)

// rewrite returns a chunk in the library's form, and records everything else in it. It returns an
// error that was sent instead of a chunk.
func (b *answerBody) rewrite(chunk wireChunk) ([]byte, error) {
	if chunk.Error != nil {
		return nil, chunk.Error.statusError(upstream.InnerStatus(chunk.Error.Code))
	}
	b.ending.note(chunk)
	var plain plainChunk
	if len(chunk.Candidates) > 0 {
		candidate := plainCandidate{
			// A new index for each chunk. With every chunk, the library joins all texts of the same index
			// again: 420 MiB of copies for a reply of 1 MiB in pieces of 1 KiB.
			Index:   b.chunks,
			Content: plainContent{Role: "model", Parts: []plainPart{}},
		}
		for _, raw := range chunk.Candidates[0].Content.Parts {
			text, err := b.ending.read(raw)
			if err != nil {
				return nil, upstream.FormatError(err)
			}
			if text != "" {
				candidate.Content.Parts = append(candidate.Content.Parts, plainPart{Text: text})
			}
		}
		plain.Candidates = []plainCandidate{candidate}
	}
	piece, err := jsonv2.Marshal(plain) // without escapes for HTML
	if err != nil {
		return nil, fmt.Errorf("writing a chunk: %w", err)
	}
	return piece, nil
}

// ending records the finish reason and the usage of an answer. It bypasses the library, which drops
// the text of a chunk with certain finish reasons, does not know the newer ones, and fails on a
// usage over 32 bits.
type ending struct {
	finish llm.FinishReason
	word   string // the reason, for the log
	// input, cached and output are nil without a plausible count. cached is a part of input.
	input, cached, output *int64
	// accepted is llm.Reply.Accepted.
	accepted bool
	// memory is the account from which the answer takes memory.
	memory *memory.Hold
	// own is the part that the transport adds to the request, or nil.
	own *own
	// calls is nil for a request without actions.
	calls *replyCalls
}

type endingKey struct{}

func withEnding(ctx context.Context, e *ending) context.Context {
	return context.WithValue(ctx, endingKey{}, e)
}

func endingOf(ctx context.Context) *ending {
	if e, ok := ctx.Value(endingKey{}).(*ending); ok {
		return e
	}
	return &ending{}
}

// read returns the text of a part. It stores the part if the request has actions.
func (e *ending) read(raw json.RawMessage) (string, error) {
	var part struct {
		Text    string `json:"text"`
		Thought bool   `json:"thought"`
	}
	if err := json.Unmarshal(raw, &part); err != nil {
		return "", err
	}
	if e.calls != nil && !e.calls.tooLong() {
		if err := e.calls.add(raw); err != nil {
			return "", err
		}
	}
	if part.Thought {
		return "", nil
	}
	return part.Text, nil
}

// note records the finish reason and the usage of a chunk. The last ones of an answer count.
func (e *ending) note(chunk wireChunk) {
	if len(chunk.Candidates) > 0 {
		if finish, word := finishOf(chunk.Candidates[0].FinishReason); word != "0" {
			e.finish, e.word = finish, word
		}
	}
	if isReason(chunk.PromptFeedback.BlockReason) {
		e.finish, e.word = llm.FinishBlocked, "prompt"
	}
	if text := chunk.UsageMetadata; len(text) > 0 {
		usage := upstream.UsageOf(text)
		e.input, e.output = usage.Tokens("promptTokenCount"), usage.Tokens("candidatesTokenCount")
		e.cached = usage.Tokens("cachedContentTokenCount")
		if thoughts := usage.Tokens("thoughtsTokenCount"); thoughts != nil && e.output != nil {
			*e.output += *thoughts
		}
	}
}

// counted returns a reply with its token counts. The count of the reply is missing if the answer
// was not read to its end.
func (e *ending) counted(reply llm.Reply, whole bool) llm.Reply {
	reply.Accepted, reply.InputTokens, reply.CachedTokens = e.accepted, e.input, e.cached
	if whole {
		reply.OutputTokens = e.output
	}
	return reply
}

// finishNumbers are the numbers of the finish reasons that the service distinguishes. The service
// requests numbers, but some servers send names.
var finishNumbers = map[string]int{
	"": 0, "FINISH_REASON_UNSPECIFIED": 0, "STOP": 1, "MAX_TOKENS": 2, "SAFETY": 3, "RECITATION": 4, "BLOCKLIST": 7,
	"PROHIBITED_CONTENT": 8, "SPII": 9, "IMAGE_SAFETY": 11,
}

// finishOf returns the finish reason of a reply, and its name in the log, which contains no text of
// the server: a number, or "another one".
func finishOf(raw json.RawMessage) (finish llm.FinishReason, word string) {
	number, known := enum(raw, finishNumbers)
	if !known {
		return llm.FinishStop, "another one"
	}
	switch word = strconv.Itoa(number); number {
	case 2:
		return llm.FinishLength, word
	case 3, 4, 7, 8, 9, 11:
		return llm.FinishBlocked, word
	}
	return llm.FinishStop, word
}

// isReason reports whether a prompt was blocked, for any reason.
func isReason(raw json.RawMessage) bool {
	number, known := enum(raw, map[string]int{"": 0, "BLOCK_REASON_UNSPECIFIED": 0})
	return number != 0 || !known
}

// enum parses an enumeration value, a number or a name; 0 if it is absent.
func enum(raw json.RawMessage, names map[string]int) (number int, known bool) {
	if json.Unmarshal(raw, &number) == nil || len(raw) == 0 {
		return number, true
	}
	name := "?"
	_ = json.Unmarshal(raw, &name) // anything else is not a name
	number, known = names[name]
	return number, known
}
