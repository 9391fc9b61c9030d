// Package catalogue holds the models that the service offers, their prices, and the adapters that
// serve them.
package catalogue

import (
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/llm"
	"agentchat/internal/llm/circuit"
)

// Entry is one model of the catalogue.
type Entry struct {
	// Name is provider/model, the name that agents and the public API use.
	Name string
	// Label is the name shown to users.
	Label string
	// Provider is the part of Name before the slash.
	Provider string
	// UpstreamName is the model's name at its provider.
	UpstreamName string
	// CreditsPerMessage is the price of one answered message, in whole credits; 0 is free.
	CreditsPerMessage int64
	// CreditsWithKnowledge is the price for a version with knowledge; nil if it is the same.
	CreditsWithKnowledge *int64
	// Cost is the provider's price of the model's tokens; nil if it is unknown.
	Cost *Cost
	// ContextWindow is the model's window in tokens.
	ContextWindow int
	// MaxOutputTokens is the most tokens of one reply; 0 if the provider decides.
	MaxOutputTokens int
	// Sandbox marks a model that makes up its answers for testing.
	Sandbox bool
	// Model serves the entry; nil if its provider is not configured, so that the entry is not
	// available. In a catalogue, every model except the sandbox's is behind a circuit breaker, which
	// has a circuit for each account.
	Model llm.Model
}

// Available reports whether the model can be used now.
func (e Entry) Available() bool { return e.Model != nil }

// Price returns the price of one answered message, with or without knowledge.
func (e Entry) Price(knowledge bool) int64 {
	if knowledge && e.CreditsWithKnowledge != nil {
		return *e.CreditsWithKnowledge
	}
	return e.CreditsPerMessage
}

// Catalogue is an immutable list of models, safe for concurrent use. Each model except the
// sandbox's is behind a circuit breaker.
type Catalogue struct {
	entries []Entry
	byName  map[string]int
	names   []string
	// prices are those of names, and withKnowledge those for versions with knowledge.
	prices, withKnowledge []int64
	circuits              map[string]*circuit.Breaker
}

// New returns a catalogue of the entries, in their order. Names must be unique.
func New(entries []Entry) *Catalogue { return NewAt(entries, nil) }

// NewAt is New with a clock for the circuit breakers; nil is the real one.
func NewAt(entries []Entry, now func() time.Time) *Catalogue {
	c := &Catalogue{
		entries:  slices.Clone(entries),
		byName:   make(map[string]int, len(entries)),
		circuits: map[string]*circuit.Breaker{},
	}
	for i, e := range entries {
		c.byName[e.Name] = i
		if !e.Available() {
			continue
		}
		c.names = append(c.names, e.Name)
		c.prices = append(c.prices, e.Price(false))
		c.withKnowledge = append(c.withKnowledge, e.Price(true))
		if !e.Sandbox {
			c.circuits[e.Name] = circuit.New(e.Name, e.Model, now)
			c.entries[i].Model = c.circuits[e.Name]
		}
	}
	return c
}

// LogTo sets the logger for circuits that open and close.
func (c *Catalogue) LogTo(logger *slog.Logger) {
	for _, b := range c.circuits {
		b.LogTo(logger)
	}
}

// Away returns the names of the models that would refuse an account's call now. A model whose next
// call is a probe is not away.
func (c *Catalogue) Away(account uuid.UUID) (away []string) {
	for _, name := range c.names {
		if b := c.circuits[name]; b != nil {
			if _, refuses := b.Away(account); refuses {
				away = append(away, name)
			}
		}
	}
	return away
}

// RetryAfter returns the wait before an account can call a model again; 0 if it can call it now.
func (c *Catalogue) RetryAfter(name string, account uuid.UUID) time.Duration {
	b := c.circuits[name]
	if b == nil {
		return 0
	}
	wait, _ := b.Away(account)
	return wait
}

// Circuits returns the number of accounts with an open circuit, by model name.
func (c *Catalogue) Circuits() map[string]int {
	open := make(map[string]int, len(c.circuits))
	for name, b := range c.circuits {
		open[name] = b.Open()
	}
	return open
}

// All returns every model, available or not, in the catalogue's order.
func (c *Catalogue) All() []Entry { return c.entries }

// Lookup returns the model with a name; false if it does not exist.
func (c *Catalogue) Lookup(name string) (Entry, bool) {
	i, ok := c.byName[name]
	if !ok {
		return Entry{}, false
	}
	return c.entries[i], true
}

// PriceList returns the names of the available models and, at the same index, their prices in
// credits. The SQL statement that begins a turn takes both, so that the database decides the price
// together with the balance.
func (c *Catalogue) PriceList() (names []string, prices []int64) { return c.names, c.prices }

// KnowledgePrices returns the prices of the PriceList's models for versions with knowledge; nil if
// they are the same.
func (c *Catalogue) KnowledgePrices() []int64 {
	if slices.Equal(c.withKnowledge, c.prices) {
		return nil
	}
	return c.withKnowledge
}

// HasProvider reports whether a model other than the sandbox's is available, so that answers may
// cost real money.
func (c *Catalogue) HasProvider() bool {
	for _, e := range c.entries {
		if e.Available() && !e.Sandbox {
			return true
		}
	}
	return false
}
