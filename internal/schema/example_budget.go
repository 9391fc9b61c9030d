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
	// validation of the attempts (maxWork).
	maxExampleSteps, maxExampleWork = 60_000, 20_000
)

// budget holds the rest of an example's budget. Work proportional to a schema's numbers is paid for
// before it is done.
type budget struct {
	ctx                  context.Context //nolint:containedctx // the budget lives for one example
	bytes, values, steps int
	work                 work
	out                  []byte
	// matches holds an example match for each pattern.
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

// over reports whether the budget is used up or the context has ended.
func (b *budget) over() bool { return b.err() != nil }

func (b *budget) err() error {
	if b.bytes < 0 || b.values < 0 || b.steps < 0 || b.work.left < 0 {
		return ErrExampleTooLarge
	}
	return b.ctx.Err()
}

// pay takes n bytes from the budget and reports whether they were left.
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

// quote writes a string. Its escapes are paid for afterwards: they are at most six times its
// length.
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

// payNumber takes the steps of reading and dividing exact numbers, which are quadratic in their
// sizes.
func (b *budget) payNumber(n *big.Rat) {
	words := (n.Num().BitLen() + n.Denom().BitLen()) / 64
	b.steps -= 1 + words*(words+8)
}
