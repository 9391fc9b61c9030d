package chat

import (
	"agentchat/internal/agent"
	"agentchat/internal/memory"
	"agentchat/internal/store/turns"
)

// The memory of a turn, in bytes. Its request has reserved memory for the message and its values,
// and the model's adapter reserves it for the provider's request and response.
const (
	// perTurn is for the goroutines and buffers of a turn.
	perTurn = 32 << 10
	// textCopies counts the copies of settings and earlier turns while they are read: encoded and
	// decoded.
	textCopies = 2
	// blockCopies counts the copies of the block of passages: alone, and in the prompt.
	blockCopies = 2
	// replyCopies counts the copies of a reply: in the adapter and in the turn, each in a buffer of up
	// to twice its text, for the database, and for requests that join. eventCopies counts those as
	// JSON: in an event, and in the write of several events. perPiece is for each piece that waits for
	// the client.
	replyCopies, eventCopies, perPiece = 6, 2, 16
)

// fillInstructions puts the message's values into the instructions of a turn that has begun, and
// reserves memory for the turn's true size. Fault: Unavailable without enough memory.
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

// reservePiece reserves memory for a piece of the reply. Fault: Unavailable without enough memory.
func (t *turn) reservePiece(piece string) error {
	return t.msg.Memory.Grow(perPiece + replyCopies*int64(len(piece)) + eventCopies*memory.JSON(piece))
}
