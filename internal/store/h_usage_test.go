package store_test

import (
	"time"
)

func at(text string) time.Time {
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return out
}
