// Package main is the benchmark of `make bench BASE=commit`: it compares the working tree with
// another commit, with the service's own statements directly on PostgreSQL, with the fewest
// statements that could do the same (floor.sql) and with the model server alone. Everything runs on
// this machine, in rounds in which everything takes its turn, so that ratios are meaningful even if
// rates are not.
//
// Each side has its own database with the same content: its program makes the schema, and its
// commit's seed.sql fills it, with the same arguments in every commit. A load runs for a moment
// before and after it is measured. CPU times come from /proc, so this needs Linux.
//
// The table goes to standard output as Markdown, and progress to standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"agentchat/internal/store"
)

// settings are the command's flags.
type settings struct {
	base    string
	rounds  int
	length  time.Duration
	only    *regexp.Regexp
	arrival float64
	seed    uint64
}

func main() {
	var s settings
	only := flag.String("only", "", "run only the rows whose name matches this regular `expression`")
	flag.StringVar(&s.base, "base", "", "the `commit` to compare with")
	flag.IntVar(&s.rounds, "rounds", 5, "number of times that each row runs")
	seconds := flag.Float64("seconds", 3, "duration of each row in a round")
	flag.Float64Var(&s.arrival, "arrivals", 300, "chats per second of the row with a fixed rate")
	flag.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "random seed")
	flag.Parse()
	s.length = time.Duration(*seconds * float64(time.Second))
	var err error
	if s.only, err = regexp.Compile(*only); err == nil && s.base == "" {
		err = errors.New("-base is missing: name a commit")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err == nil {
		err = compare(ctx, s, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to release: compare has stopped everything
	}
}

// compare runs all rounds and writes the table.
func compare(ctx context.Context, s settings, table, progress io.Writer) error {
	dir, err := os.MkdirTemp("", "agentchat-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // PostgreSQL may run as another user, who must enter it
		return err
	}
	b := &bench{settings: s, progress: progress, results: map[string][2][]figures{}}
	b.say("seed %d; building both programs", s.seed)
	head, base := filepath.Join(dir, "head"), filepath.Join(dir, "base")
	baseSeed, err := buildBase(ctx, s.base, dir, base)
	if err := errors.Join(err, build(ctx, ".", head)); err != nil {
		return err
	}
	postgres, err := startPostgres(ctx, filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	defer func() { _ = postgres.Stop(context.WithoutCancel(ctx)) }()
	var stopModel func()
	if b.modelURL, stopModel, err = startModel(); err != nil {
		return err
	}
	defer stopModel()
	if b.server, err = inspect(ctx, postgres.AdminURL()); err != nil {
		return err
	}
	for i, from := range []source{{"head", head, seedSQL}, {"base", base, baseSeed}} {
		b.say("%s: seeding", from.name)
		p := program{path: from.program, dir: dir}
		if p.databaseURL, err = createDatabase(ctx, postgres, from.name); err != nil {
			return err
		}
		if b.sides[i], err = b.prepare(ctx, from, p); err != nil {
			return err
		}
		defer b.sides[i].stop()
	}
	if err := b.rounds(ctx); err != nil {
		return err
	}
	for _, side := range b.sides {
		if err := side.program.do(ctx, "verify"); err != nil {
			return err
		}
	}
	b.say("both ledgers are consistent")
	return b.write(table, postgres.Version())
}

// bench is a run of the benchmark.
type bench struct {
	settings
	progress io.Writer
	server   *server
	modelURL string
	// sides are the working tree and BASE.
	sides [2]*side
	// results are the figures of each round, by row and side. Rows without sides use only the first.
	results map[string][2][]figures
	order   []string
}

// say prints a line about the progress.
func (b *bench) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.progress, format+"\n", args...)
}

// source is the origin of a side: the path of its program, and the text of its seed.
type source struct{ name, program, seed string }

// prepare makes a side: its schema, its content and its replicas.
func (b *bench) prepare(ctx context.Context, from source, p program) (*side, error) {
	if err := p.do(ctx, "migrate"); err != nil {
		return nil, err
	}
	speakers, err := seed(ctx, p.databaseURL, from.seed)
	if err != nil {
		return nil, err
	}
	s := &side{
		name:     from.name,
		program:  p,
		speakers: speakers,
		http:     newClient(),
		crowds:   map[string]*crowd{},
		clients:  map[string][]client{},
		random:   rand.New(rand.NewPCG(b.seed, 1)),
	}
	if err := setForPooler(ctx, p.databaseURL); err != nil { // one replica runs as if behind a pooler
		return nil, err
	}
	unprepared := []string{"DATABASE_POOLER=transaction", "MIGRATE_DATABASE_URL=" + p.databaseURL}
	for _, variables := range [][]string{nil, nil, unprepared} {
		r, err := p.serve(ctx, b.modelURL, variables...)
		if r != nil {
			s.replicas = append(s.replicas, r)
		}
		if err != nil {
			s.stop()
			return nil, err
		}
	}
	return s, s.warm()
}

func (s *side) stop() {
	for _, r := range s.replicas {
		r.stop()
	}
}

// rounds runs everything in turn, and in reverse order in every other round.
func (b *bench) rounds(ctx context.Context) error {
	s, err := store.Open(ctx, store.Config{URL: b.sides[0].program.databaseURL})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	for round := range b.settings.rounds {
		b.say("round %d", round+1)
		for _, w := range workloads {
			if !b.only.MatchString(w.name) {
				continue
			}
			for i := range b.sides {
				i = (i + round) % len(b.sides)
				m := meter{b.sides[i].replicas, b.server}
				if err := b.note(ctx, w.name, i, m, b.sides[i].load(w, b.arrival)); err != nil {
					return err
				}
			}
		}
		if err := b.alone(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// note measures a load once and stores the figures.
func (b *bench) note(ctx context.Context, name string, i int, m meter,
	load func(context.Context, *recorder)) error {
	got, err := measure(ctx, m, b.length, load)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	b.say("  %s, %s: %.0f chats/s, p50 %.1f ms", name, b.sides[i].name, got.rate, got.p50)
	if got.failed > 0 {
		b.say("  %d FAILED, the last with: %v", got.failed, got.why)
	}
	if _, known := b.results[name]; !known {
		b.order = append(b.order, name)
	}
	both := b.results[name]
	both[i] = append(both[i], got)
	b.results[name] = both
	return nil
}

// clientCounts are the tested numbers of clients. The fastest one counts.
var clientCounts = []int{4, 16, 64}

func withClients(name string, clients int) string {
	return fmt.Sprintf("%s, %d clients", name, clients)
}

// alone measures everything without a service: its statements, the floor, and the model server.
func (b *bench) alone(ctx context.Context, s *store.DB) error {
	head := b.sides[0]
	database := meter{server: b.server}
	for _, n := range clientCounts {
		w := workload{name: withClients(statementsRow, n), group: "many", clients: n, turns: sessionTurns}
		if b.only.MatchString(w.name) {
			clients := head.clientsOf(w)
			err := b.note(ctx, w.name, 0, database, closed(n, func(i int) error {
				from, session := clients[i].next()
				return throughStore(context.WithoutCancel(ctx), s, from, session)
			}))
			if err != nil {
				return err
			}
		}
		w.name = withClients(floorRow, n)
		if b.only.MatchString(w.name) {
			if err := b.floor(ctx, w); err != nil {
				return err
			}
		}
	}
	if !b.only.MatchString(modelRow) {
		return nil
	}
	return b.note(ctx, modelRow, 0, meter{}, closed(slowClients, func(int) error {
		return post(head.http, b.modelURL+"/chat/completions", "sk-bench-bench-bench", `{"stream":true}`,
			"[DONE]")
	}))
}

func (b *bench) floor(ctx context.Context, w workload) error {
	f, err := openFloor(ctx, b.sides[0].program.databaseURL, w.clients)
	if err != nil {
		return err
	}
	defer f.close(ctx)
	clients := b.sides[0].clientsOf(w)
	return b.note(ctx, w.name, 0, meter{server: b.server}, closed(w.clients, func(i int) error {
		from, session := clients[i].next()
		return f.chat(context.WithoutCancel(ctx), i, from, session)
	}))
}
