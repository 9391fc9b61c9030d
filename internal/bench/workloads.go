package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// workload is a row of the table that both sides run over HTTP.
type workload struct {
	name    string
	group   string
	clients int
	// turns is the length of a client's conversations; 0 continues the group's own.
	turns    int
	replicas int
	stream   bool
	// unprepared uses the replica that prepares no statements.
	unprepared bool
	// zipf sends at a fixed rate instead, from accounts with very different activity.
	zipf bool
}

// The names of rows that are compared with other rows.
const (
	manyRow, oneRow   = "64 connections, 1,000 accounts", "64 connections, one account"
	slowRow           = "256 connections, model of 200 ms"
	shortRow, longRow = "conversations of 10 turns", "conversations of 10,000 turns"
	statementsRow     = "the service's statements"
	floorRow          = "the floor"
	unpreparedRow     = "64 connections, no prepared statements"
	modelRow          = "the model's server, 256 connections"
	slowClients       = 256
	zipfExponent      = 1.1
	sessionTurns      = 5
)

var workloads = []workload{
	{name: manyRow, group: "many", clients: 64, turns: sessionTurns},
	{name: "4 connections, 1,000 accounts", group: "many", clients: 4, turns: sessionTurns},
	{name: oneRow, group: "one", clients: 64, turns: sessionTurns},
	{name: "1 connection", group: "many", clients: 1, turns: sessionTurns},
	{
		name:     "2 replicas, 32 connections each, 1,000 accounts",
		group:    "many",
		clients:  64,
		turns:    sessionTurns,
		replicas: 2,
	},
	{
		name:     "2 replicas, 32 connections each, one account",
		group:    "one",
		clients:  64,
		turns:    sessionTurns,
		replicas: 2,
	},
	{name: "fixed rate, Zipf over 1,000 accounts", group: "many", turns: sessionTurns, zipf: true},
	{name: "64 connections, sessions of 1 turn", group: "many", clients: 64, turns: 1},
	{name: "64 connections, sessions of 10 turns", group: "many", clients: 64, turns: 10},
	{name: "64 connections, sessions of 500 to 1,000 turns", group: "grown", clients: 64},
	{
		name:    "64 connections, streams",
		group:   "many",
		clients: 64,
		turns:   sessionTurns,
		stream:  true,
	},
	{
		name:       unpreparedRow,
		group:      "many",
		clients:    64,
		turns:      sessionTurns,
		unprepared: true,
	},
	{name: slowRow, group: "slow", clients: slowClients, turns: sessionTurns},
	{name: "64 connections, model of 200 ms", group: "slow", clients: 64, turns: sessionTurns},
	{name: "16 connections, model of 200 ms", group: "slow", clients: 16, turns: sessionTurns},
	{name: "1 connection, " + shortRow, group: "short", clients: 1},
	{name: "1 connection, " + longRow, group: "long", clients: 1},
}

// side is a program with its database, replicas and clients.
type side struct {
	name    string
	program program
	// replicas are two, and one that prepares no statements, as behind a transaction pooler.
	replicas []*replica
	speakers map[string][]speaker
	// clients holds the clients of each row. They continue in the next round.
	clients map[string][]client
	crowds  map[string]*crowd
	http    *http.Client
	random  *rand.Rand
}

// warm sends a chat from every account, so that each agent has its version and each replica its
// connections.
func (s *side) warm() error {
	for name, speakers := range s.speakers {
		if groups[name].model == slowModel {
			continue // its rows have their own warm-up
		}
		for i, from := range speakers {
			if err := send(s.http, s.replicas[i%len(s.replicas)], from, newID().String(),
				false); err != nil {
				return fmt.Errorf("%s: warm up: %w", s.name, err)
			}
		}
	}
	return nil
}

// load returns the load of a row on a side.
func (s *side) load(w workload, perSecond float64) func(context.Context, *recorder) {
	replicas := s.replicas[:max(1, w.replicas)]
	if w.unprepared {
		replicas = s.replicas[2:]
	}
	if w.zipf {
		c := s.crowds[w.name]
		if c == nil {
			c = &crowd{
				speakers: s.speakers[w.group],
				turns:    w.turns,
				idle:     map[int][]*talk{},
				zipf:     rand.NewZipf(s.newRandom(), zipfExponent, 1, uint64(len(s.speakers[w.group])-1)),
			}
			s.crowds[w.name] = c
		}
		return open(perSecond, s.newRandom(), func() error {
			return c.chat(func(from speaker, session string) error {
				return send(s.http, replicas[0], from, session, w.stream)
			})
		})
	}
	clients := s.clientsOf(w)
	return closed(w.clients, func(i int) error {
		from, session := clients[i].next()
		return send(s.http, replicas[i%len(replicas)], from, session, w.stream)
	})
}

// clientsOf returns the clients of a row.
func (s *side) clientsOf(w workload) []client {
	if s.clients[w.name] == nil {
		for i := range w.clients {
			var c client = &talk{speakers: s.speakers[w.group], turns: w.turns, random: s.newRandom()}
			if w.turns == 0 {
				c = &visit{s.speakers[w.group], groups[w.group].conversations, i, w.clients}
			}
			s.clients[w.name] = append(s.clients[w.name], c)
		}
	}
	return s.clients[w.name]
}

// newRandom returns a random source for one client, because clients must not share one.
func (s *side) newRandom() *rand.Rand {
	return rand.New(rand.NewPCG(s.random.Uint64(), s.random.Uint64()))
}
