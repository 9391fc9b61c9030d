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
)

const (
	// maxAnswer bounds an answer, in bytes after decompression.
	maxAnswer = 2 << 20
	// partCopies is how often a part of an answer is there while it is read: in the reader's buffer, which may be twice as large, decoded,
	// and for Gemini once more in each of the two, as its library reads what the adapter has rewritten.
	partCopies = 8
	// smallPart is a part that needs no more memory than any call: readers read that much at once.
	smallPart = 4 << 10
	// drainTime is how long Drain waits for the end of an answer.
	drainTime = 100 * time.Millisecond
)

// What can be wrong with an answer of status 200. The texts quote nothing of the answer, which may quote the prompt.
var (
	// ErrFormat is an answer that is not in the provider's format.
	ErrFormat = errors.New("the answer is not in the provider's format")

	errTooLarge = fmt.Errorf("the answer is over %d bytes: %w", maxAnswer, llm.ErrTooLong)
)

// Answer is the body of an answer of status 200. It is for one goroutine.
type Answer struct {
	body   io.ReadCloser
	cancel context.CancelFunc // ends the request
	left   int                // bytes that may still be read
	hold   *memory.Hold
	// part is how many bytes were read of the part of the answer that is being read, and held for how many memory was taken.
	part, held int
	timer      *time.Timer // of EndWithin
}

// NextPart begins another part of the answer, such as an event: nothing of the one before is kept.
func (a *Answer) NextPart() { a.part = 0 }

// Read reads the body as it arrives, and takes memory for the longest part. It fails when the body is over 2 MiB, or, with
// llm.ErrAnswered, when there is no memory for it.
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

// EndWithin lets Read fail once the time has passed, for an answer whose rest is worth having but not worth a long wait.
func (a *Answer) EndWithin(d time.Duration) {
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(d, a.cancel)
}

// Drain reads the rest of an answer that is complete for the adapter. The connection can be used again if the answer ends
// within a moment.
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

// Text collects the text of a reply and passes each piece on to emit. It may contain U+0000, which package chat removes.
type Text struct {
	text strings.Builder
	emit func(string) error
}

// NewText returns an empty text. emit may be nil.
func NewText(emit func(string) error) *Text { return &Text{emit: emit} }

// Add appends a piece and passes it on. The adapter ends the call with the error, which is that of emit.
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

// Reply returns the reply that a model has ended, for whatever reason: its text is paid for. word is the reason in the words of the log.
// calls returns the calls of the reply with its text, and what the adapter needs to send it again; a blocked reply has none. Faults,
// without any text or call: ContentBlocked for FinishBlocked, else ModelError.
func (t *Text) Reply(finish llm.FinishReason, word string, calls func(text string) ([]llm.Call, string)) (llm.Reply, error) {
	reply := llm.Reply{Text: t.text.String(), Finish: finish}
	if finish != llm.FinishBlocked {
		reply.Calls, reply.Provider = calls(reply.Text)
	}
	switch {
	case reply.Text != "" || len(reply.Calls) > 0:
		return reply, nil
	case finish == llm.FinishBlocked:
		return llm.Reply{}, fault.Wrap(fault.ContentBlocked, errors.New("the message or the reply was blocked: finish reason "+word))
	default:
		return llm.Reply{}, fault.Wrap(fault.ModelError, errors.New("the reply has no text: finish reason "+word))
	}
}

// String returns the text so far.
func (t *Text) String() string { return t.text.String() }

// emitError is an error of emit. Finish returns its cause unchanged.
type emitError struct{ err error }

// Error returns the text of the cause.
func (e *emitError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *emitError) Unwrap() error { return e.err }

// FormatError returns ErrFormat for an error of decoding JSON and io.ErrUnexpectedEOF for an early end. It returns any other
// error, such as one of the connection, unchanged.
func FormatError(err error) error {
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

// Tokens returns a number of tokens from a usage object in JSON. It returns nil if the number is missing or impossible, because
// usage never fails a reply.
func Tokens(usage json.RawMessage, name string) *int64 {
	var counts map[string]json.RawMessage
	if len(usage) == 0 || json.Unmarshal(usage, &counts) != nil {
		return nil
	}
	n, err := strconv.ParseInt(string(counts[name]), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return nil
	}
	return &n
}
