package httpapi

// Causes is how many causes are remembered.
func Causes() int {
	causes.Lock()
	defer causes.Unlock()
	return len(causes.at)
}
