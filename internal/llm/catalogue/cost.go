package catalogue

// Cost holds a provider's prices of a model's tokens, in nano-dollars per million tokens.
type Cost struct {
	// Input is the price of input tokens, CachedInput that of the input tokens that the provider had
	// cached, and Output that of output tokens.
	Input, CachedInput, Output int64
}
