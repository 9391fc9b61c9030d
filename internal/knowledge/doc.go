// Package knowledge defines what an agent knows: its owner's texts, as sources that are cut into
// passages. It computes the search terms of a passage, the part of the prompt that contains
// passages, and the citations of a reply. It is pure and takes linear time, whatever the text
// contains.
package knowledge
