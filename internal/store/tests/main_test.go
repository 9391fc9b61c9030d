package tests_test

import (
	"testing"

	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }
