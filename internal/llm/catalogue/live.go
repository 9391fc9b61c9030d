package catalogue

import (
	"log/slog"
	"sync"
	"sync/atomic"
)

// Live is the catalogue in use, which can be replaced at any time. It is safe for concurrent use.
// Code that needs a consistent catalogue, such as a turn, calls Now once.
type Live struct {
	now atomic.Pointer[Catalogue]

	mu      sync.RWMutex
	offered map[string]bool
	logger  *slog.Logger
}

// NewLive returns a Live whose first catalogue is c.
func NewLive(c *Catalogue) *Live {
	l := &Live{offered: map[string]bool{}, logger: slog.Default()}
	l.Replace(c)
	return l
}

// Now returns the current catalogue.
func (l *Live) Now() *Catalogue { return l.now.Load() }

// Replace makes c the current catalogue. Models keep their circuit breakers by name. c must not be
// in use elsewhere.
func (l *Live) Replace(c *Catalogue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.LogTo(l.logger)
	if before := l.now.Load(); before != nil {
		c.keepCircuits(before)
	}
	for _, name := range c.names {
		l.offered[name] = true
	}
	l.now.Store(c)
}

// Offered reports whether a model is or was available since this process started.
func (l *Live) Offered(name string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.offered[name]
}

// LogTo sets the logger for circuit breakers that open and close.
func (l *Live) LogTo(logger *slog.Logger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.logger = logger
	l.Now().LogTo(logger)
}

// keepCircuits takes over the circuit breakers of the models in before.
func (c *Catalogue) keepCircuits(before *Catalogue) {
	for name, fresh := range c.circuits {
		if kept := before.circuits[name]; kept != nil {
			c.circuits[name] = kept.With(fresh.Unwrap())
			c.entries[c.byName[name]].Model = c.circuits[name]
		}
	}
}
