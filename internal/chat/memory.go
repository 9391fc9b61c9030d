package chat

import (
	"agentchat/internal/agent"
	"agentchat/internal/memory"
	"agentchat/internal/store/turns"
)

// What a turn holds, in bytes. Its request has taken memory for the message and its values, and the model's adapter takes it for what it
// sends and reads.
const (
	// perTurn is for the goroutines and buffers of a turn.
	perTurn = 32 << 10
	// textCopies is how often settings and earlier turns are there while they are read: as they came, and decoded.
	textCopies = 2
	// blockCopies is how often the block of passages is there: alone, and in the text that the model gets.
	blockCopies = 2
	// replyCopies is how often a reply is there: in the adapter and in the turn, each in a buffer that may be twice as large as its text,
	// and for the database. eventCopies is how often as JSON: in an event, and with the events that are sent together. perPiece is for each
	// piece that waits for the client.
	replyCopies, eventCopies, perPiece = 5, 2, 16
)

// fill puts the message's values into the instructions of a turn that has begun, and takes memory for the turn, now that its true size is
// known. Fault: Unavailable when there is too little.
func (t *turn) fillInstructions(begun *turns.BeginResult) error {
	settings := &begun.Settings
	size := perTurn + textCopies*settings.TextBytes()
	for _, e := range begun.History {
		size += textCopies * (len(e.Message) + len(e.Reply))
	}
	for _, c := range begun.Chain {
		size += textCopies * (len(c.Message) + len(c.Reply) + 2*len(c.Provider))
		for _, call := range c.Calls {
			size += textCopies * len(call.Arguments)
		}
		for _, result := range c.Results {
			size += textCopies * result.Size()
		}
	}
	settings.Instructions = agent.Fill(settings.Instructions, settings.Variables, t.chainValues(begun))
	return t.msg.Memory.Grow(int64(size + len(settings.Instructions)))
}

// reservePiece takes memory for a piece of the reply. Fault: Unavailable when there is too little.
func (t *turn) reservePiece(piece string) error {
	return t.msg.Memory.Grow(perPiece + replyCopies*int64(len(piece)) + eventCopies*memory.JSON(piece))
}
