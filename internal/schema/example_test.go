package schema_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/schema"
)

// greedy returns schemas of at most 16 KiB whose examples are large, or expensive to make or to
// check.
func greedy() map[string]string {
	manyOf := func(n int, format string) string {
		return list(n, func(i int) string { return strings.ReplaceAll(format, "%d", strconv.Itoa(i)) })
	}
	items := func(of string) string {
		return property(`{"type":"array","minItems":9999,"items":` + of + `}`)
	}
	digits := strings.Repeat("7", 300)
	return map[string]string{
		"nested minItems":        property(nested(6, `{"type":"array","minItems":1000,"items":`, `{"type":"string"}`, `}`)),
		"minItems":               property(`{"type":"array","minItems":2000000000,"items":{"type":"boolean"}}`),
		"minContains":            property(`{"minContains":1e9,"contains":{"type":"null"}}`),
		"minLength":              property(`{"type":"string","minLength":2e9}`),
		"minLengths":             items(`{"type":"string","minLength":200000}`),
		"minProperties":          property(nested(4, `{"minProperties":1e6,"additionalProperties":`, `{}`, `}`)),
		"one long text":          property(`{"type":"string","minLength":262130}`),
		"a long text that fails": property(`{"type":"string","minLength":16380,"not":{"minLength":16380}}`),
		"a long list that fails": property(`{"type":"array","minItems":600,"items":{"type":"null"},"not":{"minItems":600}}`),
		"alternatives that fail": items(`{"type":"integer","anyOf":[` + manyOf(60, `{"enum":["%d"]}`) + `]}`),
		"a long enum":            items(`{"enum":[` + manyOf(2500, `%d`) + `]}`),
		"a long const":           items(`{"const":[` + manyOf(2500, `%d`) + `]}`),
		"unique":                 property(`{"minItems":3000,"uniqueItems":true,"items":{"required":["b"]}}`),
		"merged enums": object(`"properties":{"a":{"allOf":[` + manyOf(6, `{"$ref":"#/$defs/x"}`) +
			`]}},"$defs":{"x":{"enum":[` + manyOf(1500, `%d`) + `]}}`),
		"merged properties":  items(`{"allOf":[` + manyOf(160, `{"properties":{"%d":{}}}`) + `]}`),
		"merged steps":       items(`{"type":"integer","allOf":[` + manyOf(30, `{"multipleOf":1`+digits+`%d}`) + `]}`),
		"far bounds":         items(`{"type":"number","minimum":1e308,"multipleOf":1e-300}`),
		"optional members":   items(`{"type":"object","properties":{` + manyOf(480, `"p%d":true`) + `}}`),
		"required members":   items(`{"type":"object","required":[` + manyOf(1500, `"p%d"`) + `]}`),
		"patterns":           items(`{"pattern":"` + strings.Repeat(`\\pL`, 50) + `"}`),
		"a repeated pattern": items(`{"pattern":"` + strings.Repeat("a", 200) + `(x{10}){10}"}`),
		"branches":           items(`{"anyOf":[` + manyOf(200, `{"minimum":%d}`) + `],"not":{}}`),
	}
}

// TestExamplesAreBounded shows that an example of any schema has at most MaxReply bytes or fails
// with ErrExampleTooLarge, and that its construction ends with the context.
func TestExamplesAreBounded(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, text := range greedy() {
		s := parse(t, text)
		for _, make := range []func(context.Context, string) (string, error){s.Example, s.Misfit} {
			reply, err := make(t.Context(), "Example")
			switch {
			case err == nil, errors.Is(err, schema.ErrNoExample):
				if len(reply) > schema.MaxReply {
					t.Errorf("%s: %d bytes", name, len(reply))
				}
			case !errors.Is(err, schema.ErrExampleTooLarge):
				t.Errorf("%s: %v", name, err)
			}
			if _, err := make(ended, "Example"); !errors.Is(err, context.Canceled) &&
				!errors.Is(err, schema.ErrExampleTooLarge) {
				t.Errorf("%s, after the caller left: %v", name, err)
			}
		}
	}
}

// BenchmarkExample measures the most expensive examples.
func BenchmarkExample(b *testing.B) {
	for name, text := range greedy() {
		s, err := schema.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				_, err = s.Example(b.Context(), "Example")
			}
			b.Logf("%v", err)
		})
	}
}

// TestExampleNumbers shows that an example is found for random bounds and steps that some number
// satisfies.
func TestExampleNumbers(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	decimal := func(n *big.Rat) string { digits, _ := n.FloatPrec(); return n.FloatString(digits) }
	for range 500 {
		step := big.NewRat(r.Int64N(999)+1, []int64{1, 1, 10, 1000}[r.IntN(4)])
		fits := new(big.Rat).Mul(step, big.NewRat(r.Int64N(2001)-1000, 1))
		rules := []string{`"type":"number"`}
		if fits.IsInt() && r.IntN(2) == 0 {
			rules[0] = `"type":"integer"`
		}
		gap := func() *big.Rat { return big.NewRat(r.Int64N(30), 100) }
		for _, bound := range []struct {
			closed, open string
			sign         int64
		}{{"minimum", "exclusiveMinimum", -1}, {"maximum", "exclusiveMaximum", 1}} {
			away := gap()
			at := decimal(new(big.Rat).Add(fits, away.Mul(away, big.NewRat(bound.sign, 1))))
			switch keyword := bound.closed; r.IntN(3) {
			case 0:
			case 1:
				if away.Sign() != 0 {
					keyword = bound.open
				}
				fallthrough
			default:
				rules = append(rules, `"`+keyword+`":`+at)
			}
		}
		if r.IntN(2) == 0 {
			rules = append(rules, `"multipleOf":`+decimal(step))
		}
		of := `{` + strings.Join(rules, ",") + `}`
		if r.IntN(2) == 0 { // the same rules, distributed over several schemas
			of = `{"allOf":[{` + strings.Join(rules, "},{") + `}]}`
		}
		s := parse(t, `{"type":"object","required":["a"],"properties":{"a":`+of+`}}`)
		if reply, err := s.Example(t.Context(), "Example"); err != nil {
			t.Errorf("%s, which %s fits: %s: %v", of, decimal(fits), reply, err)
		}
	}
}
