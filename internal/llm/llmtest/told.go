package llmtest

// TextTold answers like Text and calls before with the number of each piece, from 0, right before it is sent: a test can note
// the time, or hold the piece back.
func TextTold(before func(piece int), pieces ...string) Reply {
	return func(e *Exchange) {
		contentType, body := e.format.answer(pieces)
		e.W.Header().Set("Content-Type", contentType)
		for i, piece := range body {
			before(i)
			if !e.write(piece) {
				return
			}
		}
	}
}
