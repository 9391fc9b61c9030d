package chat

import "time"

// delivery is the part of a reply that has left the service for its caller. The reply buffer writes
// to it under the buffer's lock, and never after its reply has ended; afterwards the turn does.
type delivery struct {
	// stream receives the text; nil for callers that wait for the whole reply.
	stream Stream
	// readers are the requests that have joined the turn; nil if none can.
	readers *broadcast
	arrived time.Time
	// text is all text that was sent, and firstText the time from the request's arrival to the first
	// piece.
	text      string
	firstText time.Duration
}

// send sends the end of whole, which begins with the text that was sent before.
func (d *delivery) send(whole string) {
	if d.firstText == 0 {
		d.firstText = time.Since(d.arrived)
	}
	piece := whole[len(d.text):]
	d.text = whole
	d.stream.Text(piece)
	d.readers.send(whole)
}

// sendRest streams the unsent part of a reply that was checked first, and returns all text that was
// sent. After sent text, the reply of a second attempt becomes a paragraph of its own.
func (d *delivery) sendRest(reply string) string {
	switch {
	case d.stream == nil:
		return reply
	case reply == "" || reply == d.text:
	case d.text != "":
		d.send(d.text + "\n\n" + reply)
	default:
		d.send(reply)
	}
	return d.text
}

func (d *delivery) begun() bool { return d.text != "" }
