package schema

import "sync"

// maxCached bounds the total number of nodes of the schemas in a Cache. Each takes about 1 KiB.
const maxCached = 32_768

// Cache caches parsed schemas by their texts. The zero value is ready. It is safe for concurrent
// use.
type Cache struct {
	mu     sync.Mutex
	byText map[string]*Schema
	nodes  int
}

// Of returns the schema of a text. An error is a *RefusedError.
func (c *Cache) Of(text string) (*Schema, error) {
	c.mu.Lock()
	known := c.byText[text]
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	s, err := Parse(text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byText == nil {
		c.byText = map[string]*Schema{}
	}
	for other, old := range c.byText { // evicts arbitrary schemas
		if c.nodes+s.Nodes() <= maxCached {
			break
		}
		delete(c.byText, other)
		c.nodes -= old.Nodes()
	}
	if c.byText[text] == nil {
		c.byText[text] = s
		c.nodes += s.Nodes()
	}
	return s, nil
}
