// Package catalogue knows which models the service offers, at what price, and which adapter serves each.
package catalogue

import (
	"agentchat/internal/llm"
)

// Entry is one model of the catalogue.
type Entry struct {
	// Name is provider/model, as agents and the public API name it.
	Name string
	// Label is the name that people read.
	Label string
	// Provider is the part of Name before the slash.
	Provider string
	// UpstreamName is the model's name at its provider.
	UpstreamName string
	// CreditsPerMessage is the price of one answered message, in whole credits; 0 is free.
	CreditsPerMessage int64
	// ContextWindow is the model's window in tokens.
	ContextWindow int
	// MaxOutputTokens is the most tokens of one reply; 0 where the provider decides.
	MaxOutputTokens int
	// Sandbox marks a model whose answers are made up for testing.
	Sandbox bool
	// Model serves the entry; nil when its provider is not configured, and the entry is then not available.
	Model llm.Model
}

// Available reports whether the model can be used now.
func (e Entry) Available() bool { return e.Model != nil }

// Catalogue is an immutable list of models, safe for concurrent use.
type Catalogue struct {
	entries []Entry
	byName  map[string]int
	names   []string
	prices  []int64
}

// New returns a catalogue of the entries, in their order. Names must be unique.
func New(entries []Entry) *Catalogue {
	c := &Catalogue{entries: entries, byName: make(map[string]int, len(entries))}
	for i, e := range entries {
		c.byName[e.Name] = i
		if e.Available() {
			c.names = append(c.names, e.Name)
			c.prices = append(c.prices, e.CreditsPerMessage)
		}
	}
	return c
}

// All returns every model, available or not, in the catalogue's order.
func (c *Catalogue) All() []Entry { return c.entries }

// Lookup returns the model of a name.
func (c *Catalogue) Lookup(name string) (Entry, bool) {
	i, ok := c.byName[name]
	if !ok {
		return Entry{}, false
	}
	return c.entries[i], true
}

// PriceList returns the names of the available models and, at the same index, their prices in credits. The statement that
// begins a turn is given both, so that the price is decided where the credits are.
func (c *Catalogue) PriceList() (names []string, prices []int64) { return c.names, c.prices }

// HasProvider reports whether a model other than the sandbox's can be used, that is, whether answers may cost real money.
func (c *Catalogue) HasProvider() bool {
	for _, e := range c.entries {
		if e.Available() && !e.Sandbox {
			return true
		}
	}
	return false
}
