package catalogue

import (
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Cost holds a provider's prices of a model's tokens, in nano-dollars per million tokens.
type Cost struct {
	// Input is the price of input tokens, CachedInput that of the input tokens that the provider had
	// cached, and Output that of output tokens.
	Input, CachedInput, Output int64
}

// pricedTokens is the number of tokens to which a price applies.
const pricedTokens = 1_000_000

// Of returns the cost of a call in nano-dollars, rounded half up. cached is a part of input. Counts
// are from 0 to math.MaxInt32, so the sum needs 128 bits and the result fits.
func (c Cost) Of(input, cached, output int64) int64 {
	high, low := uint64(0), uint64(pricedTokens/2)
	for _, part := range [][2]int64{
		{input - cached, c.Input}, {cached, c.CachedInput}, {output, c.Output},
	} {
		more, tokens := bits.Mul64(uint64(part[0]), uint64(part[1]))
		var carry uint64
		low, carry = bits.Add64(low, tokens, 0)
		high += more + carry
	}
	nanos, _ := bits.Div64(high, low, pricedTokens)
	return int64(nanos)
}

// costEntry is the cost of a model in the file.
type costEntry struct {
	Input       decimal  `yaml:"input"`
	CachedInput *decimal `yaml:"cached_input"`
	Output      decimal  `yaml:"output"`
}

// decimal is the text of a number in the file, because a float would round it; "?" for any other
// value.
type decimal string

// UnmarshalYAML reads a number.
func (d *decimal) UnmarshalYAML(node ast.Node) error {
	*d = "?"
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		*d = decimal(node.GetToken().Value)
	}
	return nil
}

// maxDollars is the highest number that ParseDollars accepts.
const maxDollars = 10_000

var dollars = regexp.MustCompile(`^(0|[1-9]\d{0,4})(?:\.(\d{1,9}))?$`)

// ParseDollars returns a number of dollars in nano-dollars; false if it is not from 0 to 10,000 or has
// more decimals than given. decimals is at most 9.
func ParseDollars(text string, decimals int) (nanos int64, ok bool) {
	digits := dollars.FindStringSubmatch(text)
	if digits == nil || len(digits[2]) > decimals {
		return 0, false
	}
	n, err := strconv.ParseInt(digits[1]+(digits[2] + strings.Repeat("0", 9))[:9], 10, 64)
	return n, err == nil && n <= maxDollars*1_000_000_000
}

// cost checks the cost of a model; nil for none.
func (f *modelsFile) cost(at string, entry *costEntry) (*Cost, error) {
	if entry == nil {
		return nil, nil //nolint:nilnil // documented
	}
	var cost Cost
	cached := entry.Input
	if entry.CachedInput != nil {
		cached = *entry.CachedInput
	}
	for _, price := range []struct {
		name  string
		value decimal
		into  *int64
	}{
		{"input", entry.Input, &cost.Input},
		{"cached_input", cached, &cost.CachedInput},
		{"output", entry.Output, &cost.Output},
	} {
		var ok bool
		if *price.into, ok = ParseDollars(string(price.value), 6); !ok {
			return nil, f.failf(at+"."+price.name,
				"cost.%s must be a number from 0 to %d with at most 6 decimals", price.name, maxDollars)
		}
	}
	return &cost, nil
}
