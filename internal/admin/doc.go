// Package admin is the operator's HTTP API, /admin/v1: what a billing system needs of accounts and credits. It has a listener and a token
// of its own, and is described by openapi.yaml.
package admin
