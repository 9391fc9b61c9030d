package identity_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/identity"
)

func TestSignUpsPerClientAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	// Attempts with a known email address count too. Ten of them come from different addresses of
	// one network.
	try := func(c identity.Client, i int) error {
		service := []*identity.Service{b.Service, b.second}[i%2]
		_, err := service.SignUp(t.Context(), identity.SignUpInput{Email: email, Password: password, Name: "Ada"}, c)
		if i > 0 && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.RateLimited) {
			t.Errorf("attempt %d: %v", i, err)
		}
		return err
	}
	for i := range identity.MaxSignUps {
		if err := try(client(fmt.Sprintf("2001:db8:1:2:%x::%d", i, i)), i); fault.Is(err, fault.RateLimited) {
			t.Fatalf("attempt %d: %v", i, err)
		}
	}
	err := try(client("2001:db8:1:2:ffff::1"), 10)
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.RateLimited || f.RetryAfter <= 50*time.Minute || f.RetryAfter > time.Hour {
		t.Errorf("the eleventh: %+v", f)
	}
	for _, address := range []string{"2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"} {
		wantKind(t, "from "+address, try(client(address), 11), fault.Conflict)
	}
	b.exec(t, `UPDATE throttles SET hits = array_fill(clock_timestamp(), ARRAY[10])`)
	wantKind(t, "an IPv4 address written as IPv6", try(client("::ffff:192.0.2.1"), 12), fault.RateLimited)
	b.age(t, "1 hour")
	wantKind(t, "an hour later", try(client("2001:db8:1:2::1"), 13), fault.Conflict)
}
