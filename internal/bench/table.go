package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
)

// write writes all figures as Markdown: the medians of the rounds, with the lowest and the highest.
// Ratios compare figures of the same round.
func (b *bench) write(out io.Writer, postgres string) error {
	var t strings.Builder
	fmt.Fprintf(&t,
		"%d rounds of %v, %d processors, %s, PostgreSQL %s, BASE %s, seed %d, %g arrivals/s, Zipf exponent %g.\n\n",
		b.settings.rounds, b.length, runtime.NumCPU(), runtime.Version(), postgres, b.base, b.seed,
		b.arrival, zipfExponent)
	t.WriteString("| row | of | chats/s | p50 ms | p95 ms | p99 ms | CPU ms, service | CPU ms, PostgreSQL | WAL bytes | " +
		"rate/BASE | p50/BASE | CPU/BASE | WAL/BASE |\n|" + strings.Repeat("---|", 13) + "\n")
	for _, name := range b.order {
		both := b.results[name]
		for i, rounds := range both {
			if len(rounds) == 0 {
				continue
			}
			cells := []string{name, []string{"tree", "BASE"}[i] + failures(rounds)}
			for n, get := range []func(figures) float64{rateOf, p50Of, p95Of, p99Of, serviceOf, postgresOf,
				walOf} {
				cells = append(cells, spread(each(rounds, get), []int{0, 1, 1, 1, 2, 2, 0}[n], n < 2))
			}
			for _, get := range []func(figures) float64{rateOf, p50Of, figures.cpu, walOf} {
				cell := ""
				if i == 0 && len(both[1]) > 0 {
					cell = spread(ratios(rounds, both[1], get, get), 2, true)
				}
				cells = append(cells, cell)
			}
			t.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
	}
	if between := b.ratios(); between != "" {
		t.WriteString("\n| rows of the working tree | median | lowest to highest |\n|---|---|---|\n" +
			between)
	}
	_, err := io.WriteString(out, t.String())
	return err
}

// ratios returns lines that compare rows of the working tree with each other.
func (b *bench) ratios() string {
	var t strings.Builder
	line := func(what, over, under string, of func(a, b figures) float64) {
		rounds, other := b.results[over][0], b.results[under][0]
		if len(rounds) == 0 || len(other) == 0 {
			return
		}
		var values []float64
		for i := range rounds {
			values = append(values, of(rounds[i], other[i]))
		}
		slices.Sort(values)
		fmt.Fprintf(&t, "| %s | %.2f | %.2f to %.2f |\n", what, median(values), values[0],
			values[len(values)-1])
	}
	rate := func(a, b figures) float64 { return a.rate / b.rate }
	statements, floor := b.best(statementsRow), b.best(floorRow)
	line("chats/s, one account over 1,000", oneRow, manyRow, rate)
	line("chats/s over "+statements, manyRow, statements, rate)
	line("chats/s over "+floor, manyRow, floor, rate)
	line("chats/s, no prepared statements over with them", unpreparedRow, manyRow, rate)
	line("chats/s, model of 200 ms over the model's server", slowRow, modelRow, rate)
	line("p50 added to the model's server, ms", slowRow, modelRow, func(a, b figures) float64 {
		return a.p50 - b.p50
	})
	line("p50, conversations of 10,000 turns over 10", "1 connection, "+longRow,
		"1 connection, "+shortRow,
		func(a, b figures) float64 { return a.p50 / b.p50 })
	line("CPU, conversations of 10,000 turns over 10", "1 connection, "+longRow,
		"1 connection, "+shortRow,
		func(a, b figures) float64 { return a.cpu() / b.cpu() })
	return t.String()
}

// best returns a row's name with its fastest number of clients.
func (b *bench) best(name string) string {
	fastest, rate := "", -1.0
	for _, n := range clientCounts {
		rounds := b.results[withClients(name, n)][0]
		if len(rounds) == 0 {
			continue
		}
		if m := median(each(rounds, rateOf)); m > rate {
			fastest, rate = withClients(name, n), m
		}
	}
	return fastest
}

func rateOf(f figures) float64     { return f.rate }
func p50Of(f figures) float64      { return f.p50 }
func p95Of(f figures) float64      { return f.p95 }
func p99Of(f figures) float64      { return f.p99 }
func serviceOf(f figures) float64  { return f.service }
func postgresOf(f figures) float64 { return f.postgres }
func walOf(f figures) float64      { return f.wal }

// each returns a figure of all rounds, sorted.
func each(rounds []figures, get func(figures) float64) []float64 {
	var values []float64
	for _, f := range rounds {
		values = append(values, get(f))
	}
	slices.Sort(values)
	return values
}

// ratios divides round by round and returns the quotients, sorted.
func ratios(over, under []figures, get, getUnder func(figures) float64) []float64 {
	var values []float64
	for i := range over {
		values = append(values, get(over[i])/getUnder(under[i]))
	}
	slices.Sort(values)
	return values
}

func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread formats the median of sorted values and, with whole, the lowest and the highest.
func spread(sorted []float64, decimals int, whole bool) string {
	if math.IsNaN(median(sorted)) {
		return "–"
	}
	text := fmt.Sprintf("%.*f", decimals, median(sorted))
	if whole && len(sorted) > 1 {
		text += fmt.Sprintf(" [%.*f–%.*f]", decimals, sorted[0], decimals, sorted[len(sorted)-1])
	}
	return text
}

func failures(rounds []figures) string {
	n := 0
	for _, f := range rounds {
		n += f.failed
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d failed)", n)
}
