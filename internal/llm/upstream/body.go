package upstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// maxReply bounds an answer in bytes, after decompression.
const maxReply = 1 << 20

// What can be wrong with an answer of status 200. The texts are ours alone: what a provider sends may quote the prompt.
var (
	// ErrNotReply is an answer that is none in the provider's format.
	ErrNotReply = errors.New("the answer is not in the provider's format")

	errTooLarge = fmt.Errorf("the answer is over %d bytes", maxReply)
)

// ReadError makes one error of all that JSON can be wrong in, and leaves errors of the connection as they are.
func ReadError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return ErrNotReply
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return ErrNotReply
	}
	return err
}

// Tokens reads a number of tokens in JSON; nil for what cannot be one. A reply never fails for its usage.
func Tokens(raw json.RawMessage) *int64 {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return nil
	}
	return &n
}

// bounded reads up to a number of bytes, and fails where there are more.
type bounded struct {
	source io.Reader
	left   int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	n, err := b.source.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
