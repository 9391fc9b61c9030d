// Package graph is the control panel's API: GraphQL at POST /graphql, with gqlgen. A request passes
// through
//
//	request    request id, access log, panics, cross-site check, CORS for the operator's own panels
//	transport  POST of JSON or multipart, GET; body, document and operation; the HTTP status
//	limits     refuse expensive documents before validation
//	access     the rules of operations.go; fields without a rule are for owners
//	resolvers  principal, one pure call, one store or use-case call, reply
//
// The resolvers' files are named after their schema files; gqlgen rewrites them, so helpers live
// elsewhere. `make generate` writes generated/ and model/.
package graph
