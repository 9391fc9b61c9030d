package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/memory"
	"agentchat/internal/sse"
)

const (
	// maxAnswer bounds an answer, in bytes after decompression.
	maxAnswer = 2 << 20
	// partCopies is the number of copies of an answer's part in memory while it is read: one in the
	// reader's buffer, which may be twice as large, and one decoded. Gemini doubles both, because its
	// library reads what the adapter has rewritten.
	partCopies = 8
	// smallPart is the size of a part that needs no memory of its own: readers read at least that much
	// at once.
	smallPart = 4 << 10
	// drainTime is the longest wait of Drain for the end of an answer.
	drainTime = 100 * time.Millisecond
)

// Errors in an answer of status 200. The texts quote nothing of the answer, which may quote the
// prompt.
var (
	// ErrFormat means that the answer is not in the provider's format.
	ErrFormat = errors.New("the answer is not in the provider's format")

	errTooLarge = fmt.Errorf("the answer is over %d bytes: %w", maxAnswer, llm.ErrTooLong)
)

// Answer is the body of a response of status 200. It is for one goroutine.
type Answer struct {
	body   io.ReadCloser
	cancel context.CancelFunc // ends the request
	left   int                // bytes that may still be read
	hold   *memory.Hold
	// part counts the bytes read of the current part. held is the size for which memory was taken.
	part, held int
	timer      *time.Timer // of EndWithin
}

// NextPart starts another part of the answer, such as an event. The adapter has discarded the part
// before.
func (a *Answer) NextPart() { a.part = 0 }

// Read reads the body on arrival, and takes memory for the longest part. It fails if the body is
// over 2 MiB, or, with llm.ErrAnswered, if memory runs out.
func (a *Answer) Read(p []byte) (int, error) {
	if a.left < 0 {
		return 0, errTooLarge
	}
	n, err := a.body.Read(p[:min(len(p), a.left+1)])
	if a.left -= n; a.left < 0 {
		return 0, errTooLarge
	}
	if a.part += n; a.part > smallPart && a.part > a.held {
		if err := a.hold.Grow(int64(a.part-a.held) * partCopies); err != nil {
			return 0, fmt.Errorf("%w: %w", llm.ErrAnswered, err)
		}
		a.held = a.part
	}
	return n, err
}

// EndWithin makes Read fail after d, for an answer whose rest is useful but not worth a long wait.
func (a *Answer) EndWithin(d time.Duration) {
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(d, a.cancel)
}

// Drain reads the rest of an answer that the adapter no longer needs, so that the connection can be
// reused. It gives up after a moment.
func (a *Answer) Drain() {
	a.EndWithin(drainTime)
	_, _ = io.Copy(io.Discard, a)
}

// Close closes the connection, unless the body was read to its end.
func (a *Answer) Close() error {
	if a.timer != nil {
		a.timer.Stop()
	}
	a.cancel()
	return a.body.Close()
}

// Text collects the text of a reply and forwards each piece to emit. It may contain U+0000, which
// package chat removes.
type Text struct {
	text strings.Builder
	emit func(string) error
}

// NewText returns an empty text. emit may be nil.
func NewText(emit func(string) error) *Text { return &Text{emit: emit} }

// Add appends a piece and forwards it. An error is that of emit, which ends the call.
func (t *Text) Add(piece string) error {
	if piece == "" {
		return nil
	}
	t.text.WriteString(piece)
	if t.emit == nil {
		return nil
	}
	if err := t.emit(piece); err != nil {
		return &emitError{err}
	}
	return nil
}

// Reply returns the reply that a model has finished. Its text is paid for, whatever the finish
// reason; word names the reason in the log. calls returns the calls of the reply and what the
// adapter needs to send it again; a blocked reply has none. Faults for a reply with neither text
// nor calls: ContentBlocked for FinishBlocked, else ModelError.
func (t *Text) Reply(finish llm.FinishReason, word string,
	calls func(text string) ([]llm.Call, string)) (llm.Reply, error) {
	reply := llm.Reply{Text: t.text.String(), Finish: finish}
	if finish != llm.FinishBlocked {
		reply.Calls, reply.ProviderState = calls(reply.Text)
	}
	switch {
	case reply.Text != "" || len(reply.Calls) > 0:
		return reply, nil
	case finish == llm.FinishBlocked:
		return llm.Reply{}, fault.Wrap(fault.ContentBlocked,
			errors.New("the message or the reply was blocked: finish reason "+word))
	default:
		return llm.Reply{}, fault.Wrap(fault.ModelError,
			errors.New("the reply has no text: finish reason "+word))
	}
}

// String returns the text so far.
func (t *Text) String() string { return t.text.String() }

// emitError wraps an error of emit. Finish returns its cause unchanged.
type emitError struct{ err error }

// Error returns the text of the cause.
func (e *emitError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *emitError) Unwrap() error { return e.err }

// FormatError returns ErrFormat for a JSON decoding error and for a stream without an event,
// io.ErrUnexpectedEOF for an early end, and any other error unchanged.
func FormatError(err error) error {
	if errors.Is(err, sse.ErrNoEvent) {
		return ErrFormat
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return ErrFormat
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return ErrFormat
	}
	return err
}

// Usage has the members of a JSON usage object, by name.
type Usage map[string]json.RawMessage

// UsageOf reads a JSON usage object. Most chunks of a stream have none, or null.
func UsageOf(text json.RawMessage) Usage {
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	var usage Usage
	_ = json.Unmarshal(text, &usage) // bad usage never fails a reply
	return usage
}

// Tokens returns a token count. It returns nil if the count is missing or impossible.
func (u Usage) Tokens(name string) *int64 {
	text, ok := u[name]
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return nil
	}
	return &n
}
