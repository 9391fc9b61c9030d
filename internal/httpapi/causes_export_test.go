package httpapi

// Causes returns the number of remembered causes.
func Causes() int {
	causes.Lock()
	defer causes.Unlock()
	return len(causes.at)
}
