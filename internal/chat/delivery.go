package chat

import "time"

// delivery is the part of a reply that has left the service for its caller: it is paid for. The reply buffer writes to it under its lock, and
// never after its reply has ended; then the turn does.
type delivery struct {
	// stream receives the text; nil for callers that wait for the whole reply.
	stream  Stream
	arrived time.Time
	// text is all that was sent, and firstText the time until its first piece, since the request arrived.
	text      string
	firstText time.Duration
}

// send sends the piece that makes the text that was sent before it into the whole text.
func (d *delivery) send(whole string) {
	if d.firstText == 0 {
		d.firstText = time.Since(d.arrived)
	}
	piece := whole[len(d.text):]
	d.text = whole
	d.stream.Text(piece)
}

// sendRest streams what has not been sent of a reply that was checked first, and returns everything that was sent. Text of the second
// attempt at a reply becomes a paragraph of its own.
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
