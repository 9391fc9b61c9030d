package chat

import (
	"testing"

	"agentchat/internal/store/turns"
)

// TestReplicasThatStandStill tests that a replica is dead from the fourth read in a row without a
// new beat. Reads without its row, as after its removal, reset the count.
func TestReplicasThatStandStill(t *testing.T) {
	t.Parallel()
	const missing = -1
	for name, c := range map[string]struct {
		reads []int64
		dead  bool
	}{
		"never read before":      {[]int64{7}, false},
		"read again three times": {[]int64{7, 7, 7, 7}, false},
		"read again four times":  {[]int64{7, 7, 7, 7, 7}, true},
		"beats at last":          {[]int64{7, 7, 7, 7, 7, 8}, false},
		"beats in between":       {[]int64{7, 7, 7, 8, 8, 8, 8}, false},
		"a lost commit":          {[]int64{7, 7, 7, 7, 6}, false},
		"removed in between":     {[]int64{7, 7, 7, 7, missing, 7}, false},
	} {
		var replicas map[int32]standing
		for i, beats := range c.reads {
			read := []turns.Replica{{Number: 1, Beats: int64(i)}}
			if beats != missing {
				read = append(read, turns.Replica{Number: 2, Beats: beats})
			}
			replicas = observe(replicas, read)
		}
		if !replicas[1].beats() || replicas[2].beats() == c.dead {
			t.Errorf("%s: %+v", name, replicas)
		}
	}
}
