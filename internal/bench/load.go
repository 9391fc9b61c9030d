package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"
)

// warmUp is the time for which a load runs before it is measured.
const warmUp = 500 * time.Millisecond

// figures are the results of one measurement of a load.
type figures struct {
	rate          float64 // answered chats per second
	p50, p95, p99 float64 // ms
	service       float64 // CPU ms per chat; NaN without a service
	postgres      float64 // CPU ms per chat; NaN without PostgreSQL
	wal           float64 // bytes of log per chat
	failed        int
	why           error // the last failure
}

func (f figures) cpu() float64 { return f.service + f.postgres }

// recorder records chats while it is open.
type recorder struct {
	mu     sync.Mutex
	open   bool
	took   []float64 // ms
	failed int
	why    error // the last failure
}

func (r *recorder) set(open bool) {
	r.mu.Lock()
	r.open = open
	r.mu.Unlock()
}

// add adds a chat that has just ended. began is the time when it began or should have begun.
func (r *recorder) add(began time.Time, err error) {
	took := float64(time.Since(began).Microseconds()) / 1000
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !r.open:
	case err != nil:
		r.failed++
		r.why = err
	default:
		r.took = append(r.took, took)
	}
}

// meter measures the CPU of replicas and a server. The server is nil if only a model server is
// called.
type meter struct {
	replicas []*replica
	server   *server
}

// reading is the total use of resources up to a time.
type reading struct {
	at                     time.Time
	service, postgres, wal float64
}

func (m meter) read(ctx context.Context) (reading, error) {
	r := reading{service: math.NaN(), postgres: math.NaN(), wal: math.NaN()}
	var err error
	if len(m.replicas) > 0 {
		r.service = cpuOf(m.replicas)
	}
	if m.server != nil {
		r.postgres = m.server.cpu()
		r.wal, err = m.server.wal(ctx)
	}
	r.at = time.Now()
	return r, err
}

// measure runs a load and measures its middle part: chats that end during that time count. The load
// runs until its context ends.
func measure(ctx context.Context, m meter, length time.Duration,
	load func(context.Context, *recorder)) (figures, error) {
	loading, stop := context.WithCancel(ctx)
	defer stop()
	var chats recorder
	over := make(chan struct{})
	go func() {
		defer close(over)
		load(loading, &chats)
	}()
	<-time.After(warmUp)
	before, err := m.read(ctx)
	if err != nil {
		return figures{}, err
	}
	chats.set(true)
	<-time.After(length)
	chats.set(false)
	after, err := m.read(ctx)
	stop()
	<-over
	n := float64(len(chats.took))
	slices.Sort(chats.took)
	return figures{
		rate:     n / after.at.Sub(before.at).Seconds(),
		p50:      quantile(chats.took, 0.5),
		p95:      quantile(chats.took, 0.95),
		p99:      quantile(chats.took, 0.99),
		service:  (after.service - before.service) / n,
		postgres: (after.postgres - before.postgres) / n,
		wal:      (after.wal - before.wal) / n,
		failed:   chats.failed,
		why:      chats.why,
	}, err
}

// quantile returns a quantile of sorted values; NaN without values.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// closed runs clients that each send the next chat after the response to the last one.
func closed(clients int, chat func(client int) error) func(context.Context, *recorder) {
	return func(ctx context.Context, r *recorder) {
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				for ctx.Err() == nil {
					began := time.Now()
					r.add(began, chat(i))
				}
			})
		}
		all.Wait()
	}
}

// open sends chats at a fixed mean rate, at random times, however long the responses take. A chat's
// time counts from the moment at which it should have been sent.
func open(perSecond float64, random *rand.Rand,
	chat func() error) func(context.Context, *recorder) {
	return func(ctx context.Context, r *recorder) {
		var all sync.WaitGroup
		defer all.Wait()
		for due := time.Now(); ; due = due.Add(time.Duration(random.ExpFloat64() / perSecond * float64(time.Second))) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Until(due)):
				all.Go(func() { r.add(due, chat()) })
			}
		}
	}
}

// client sends one message after another. next returns the speaker and the session of the next one.
type client interface {
	next() (speaker, string)
}

// talk runs a client's conversations, one after another.
type talk struct {
	speakers []speaker
	turns    int // per conversation
	random   *rand.Rand

	speaker speaker
	session string
	left    int
}

func (t *talk) next() (speaker, string) {
	if t.left == 0 {
		t.speaker, t.session, t.left = t.speakers[t.random.IntN(len(t.speakers))], newID().String(),
			t.turns
	}
	t.left--
	return t.speaker, t.session
}

// visit is a client that continues a group's seeded conversations in turn.
type visit struct {
	speakers []speaker
	// conversations is the number per speaker. The client takes every step-th one, from its first.
	conversations, at, step int
}

func (v *visit) next() (speaker, string) {
	i := v.at % (len(v.speakers) * v.conversations)
	v.at += v.step
	return v.speakers[i%len(v.speakers)], "s-" + strconv.Itoa(i/len(v.speakers))
}

// crowd chats for accounts with very different activity. A conversation that waits for a response
// gets no other message.
type crowd struct {
	speakers []speaker
	turns    int

	mu   sync.Mutex
	zipf *rand.Zipf
	idle map[int][]*talk
}

// chat sends a message of a random account.
func (c *crowd) chat(send func(speaker, string) error) error {
	c.mu.Lock()
	who := int(c.zipf.Uint64())
	var t *talk
	if free := c.idle[who]; len(free) > 0 {
		t, c.idle[who] = free[len(free)-1], free[:len(free)-1]
	} else {
		t = &talk{speakers: c.speakers[who : who+1], turns: c.turns, random: rand.New(rand.NewPCG(0, 0))}
	}
	s, session := t.next()
	c.mu.Unlock()
	err := send(s, session)
	c.mu.Lock()
	c.idle[who] = append(c.idle[who], t)
	c.mu.Unlock()
	return err
}
