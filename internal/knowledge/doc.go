// Package knowledge holds what an agent knows: its owner's texts, as sources that are cut into passages. It computes by which terms a
// passage is found, what a model is given, and what a reply cites. All of it is pure and takes time in proportion to the text, whatever is
// in it.
package knowledge
