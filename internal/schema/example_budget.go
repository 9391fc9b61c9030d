package schema

import (
	"context"
	"math/big"

	"github.com/go-json-experiment/json/jsontext"
)

// The budget of all attempts at one example.
const (
	maxExampleBytes  = MaxReply
	maxExampleValues = 10_000
	// maxExampleSteps bounds the keywords and names that are read or merged, and maxExampleWork the
	// checking of the attempts (maxWork).
	maxExampleSteps, maxExampleWork = 60_000, 20_000
)

// budget holds what an example may still use. Work in the size of a schema's numbers is paid before it is done.
type budget struct {
	ctx                  context.Context //nolint:containedctx // it lives for one example
	bytes, values, steps int
	work                 work
	out                  []byte
	// matches holds a match for each pattern.
	matches map[string]string
}

func newBudget(ctx context.Context) *budget {
	return &budget{
		ctx:     ctx,
		bytes:   maxExampleBytes,
		values:  maxExampleValues,
		steps:   maxExampleSteps,
		work:    work{left: maxExampleWork},
		matches: map[string]string{},
	}
}

// over reports whether the budget is used up or the caller has gone.
func (b *budget) over() bool { return b.err() != nil }

func (b *budget) err() error {
	if b.bytes < 0 || b.values < 0 || b.steps < 0 || b.work.left < 0 {
		return ErrExampleTooLarge
	}
	return b.ctx.Err()
}

// pay takes n bytes from the budget and reports whether it had them.
func (b *budget) pay(n int) bool {
	if n > b.bytes {
		b.bytes = -1
		return false
	}
	b.bytes -= n
	return true
}

func (b *budget) write(text string) {
	if b.pay(len(text)) {
		b.out = append(b.out, text...)
	}
}

// quote writes a string. Its escapes are paid afterwards: they are at most six times its length.
func (b *budget) quote(text string) {
	if len(text) > b.bytes {
		b.bytes = -1
		return
	}
	before := len(b.out)
	b.out, _ = jsontext.AppendQuote(b.out, text)
	b.pay(len(b.out) - before)
}

func (b *budget) comma(i int) {
	if i > 0 {
		b.write(",")
	}
}

func (b *budget) name(i int, name string) {
	b.comma(i)
	b.quote(name)
	b.write(":")
}

// payNumber takes the steps of reading and dividing exact numbers, which are quadratic in their sizes.
func (b *budget) payNumber(n *big.Rat) {
	words := (n.Num().BitLen() + n.Denom().BitLen()) / 64
	b.steps -= 1 + words*(words+8)
}
