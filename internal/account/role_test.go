package account_test

import (
	"testing"

	"agentchat/internal/account"
)

func TestRolesIncludeThoseBelow(t *testing.T) {
	t.Parallel()
	order := []account.Role{"", account.Viewer, account.Editor, account.Owner}
	for i, role := range order {
		for j, asked := range order {
			if want := j > 0 && i >= j; role.Includes(asked) != want {
				t.Errorf("%q includes %q: %t", role, asked, !want)
			}
		}
	}
}
