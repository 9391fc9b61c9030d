// Package admin is the operator's HTTP API, /admin/v1, with which a billing system manages accounts
// and credits. It has its own listener and token. openapi.yaml describes it.
package admin
