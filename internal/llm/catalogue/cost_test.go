package catalogue_test

import (
	"math"
	"strings"
	"testing"

	"agentchat/internal/llm/catalogue"
)

// TestCostsInTheFile tests that prices are read exactly, that cached tokens cost as much as others
// by default, and that the sandbox has a known cost.
func TestCostsInTheFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*catalogue.Cost{
		"":            nil,
		"cost: null":  nil,
		"label: Fine": nil,
		"cost: {input: 0.25, cached_input: 0.025, output: 2}": {
			Input: 250_000_000, CachedInput: 25_000_000, Output: 2_000_000_000},
		"cost: {input: 0.25, output: 2}": {
			Input: 250_000_000, CachedInput: 250_000_000, Output: 2_000_000_000},
		"cost: {input: 0.1, cached_input: 0, output: 0.3}": {Input: 100_000_000, Output: 300_000_000},
		"cost: {input: 10000.000000, output: 9999.999999}": {
			Input: 10_000_000_000_000, CachedInput: 10_000_000_000_000, Output: 9_999_999_999_000},
		"cost: {input: 0, output: 0.000001}": {Output: 1_000},
	} {
		c, err := loadFile(t, withLine(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		e, _ := c.Lookup("p/m")
		if (e.Cost == nil) != (want == nil) || want != nil && *e.Cost != *want {
			t.Errorf("%s: %+v, want %+v", text, e.Cost, want)
		}
		for _, name := range sandboxNames {
			if e, _ := c.Lookup(name); e.Cost == nil || *e.Cost != (catalogue.Cost{}) {
				t.Errorf("%s: %+v", name, e.Cost)
			}
		}
	}
}

// TestBadCosts tests that the error names the line and the price.
func TestBadCosts(t *testing.T) {
	t.Parallel()
	const rule = " must be a number from 0 to 10000 with at most 6 decimals"
	for _, bad := range []string{
		"-1", "-0.5", "10000.000001", "10001", "1000000", "0.0000001", "1e-3", "0x10", "007", "1_000", ".inf", ".nan",
		"+1", `"0.25"`, "free", "[1]", "{a: 1}", "true", "99999999999999999999999",
	} {
		for at, line := range map[string]string{
			"input":        "cost: {input: X, output: 1}",
			"cached_input": "cost: {input: 1, cached_input: X, output: 1}",
			"output":       "cost:\n      input: 1\n      output: X",
		} {
			want := "models.yaml:9: cost."
			if at == "output" {
				want = "models.yaml:11: cost."
			}
			_, err := loadFile(t, withLine(strings.Replace(line, "X", bad, 1)))
			if err == nil || err.Error() != want+at+rule {
				t.Errorf("%s %s: %v", at, bad, err)
			}
		}
	}
	for line, want := range map[string]string{
		"cost: {output: 1}":                     "models.yaml:9: cost.input" + rule,
		"cost: {input: 1}":                      "models.yaml:9: cost.output" + rule,
		"cost: {input: null, output: 1}":        "models.yaml:9: cost.input" + rule,
		"cost: {input: 1, output: 1, image: 1}": `models.yaml:9: unknown field "image"`,
		"cost: 1":                               "models.yaml:9: ",
	} {
		if _, err := loadFile(t, withLine(line)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// TestCostOfACall tests that a call's cost is rounded half up, once, and exact at the largest counts
// and prices.
func TestCostOfACall(t *testing.T) {
	t.Parallel()
	const million, most = 1_000_000, 10_000_000_000_000
	mini := catalogue.Cost{Input: 250 * million, CachedInput: 25 * million, Output: 2000 * million}
	for _, tc := range []struct {
		cost                  catalogue.Cost
		input, cached, output int64
		want                  int64
	}{
		{mini, 1_000, 400, 200, 560_000},
		{mini, 0, 0, 0, 0},
		{catalogue.Cost{Input: 1_000}, 499, 0, 0, 0},
		{catalogue.Cost{Input: 1_000}, 500, 0, 0, 1},
		{catalogue.Cost{Input: 1_000, CachedInput: 1_000, Output: 1_000}, 300, 100, 200, 1},
		{catalogue.Cost{Input: most, CachedInput: most, Output: most}, math.MaxInt32, 1, math.MaxInt32,
			2 * math.MaxInt32 * (most / million)},
	} {
		if got := tc.cost.Of(tc.input, tc.cached, tc.output); got != tc.want {
			t.Errorf("%+v: %d", tc, got)
		}
	}
}

func TestParseDollars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "0.001": 1e6, "0.000000001": 1, "1": 1e9, "10000": 1e13, "0.29": 29e7, "9999.999999999": 9_999_999_999_999,
	} {
		if got, ok := catalogue.ParseDollars(text, 9); got != want || !ok {
			t.Errorf("%q: %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " 1", "-1", "+1", "1.", ".5", "01", "1e3", "0x1", "1,5", "$1", "NaN",
		"0.0000000001", "10000.000000001", "99999", "100000", "1\n", "\uff11"} {
		if got, ok := catalogue.ParseDollars(text, 9); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}
