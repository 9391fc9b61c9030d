// Package graph is the control panel's API: GraphQL at POST /graphql, with gqlgen. A request passes through
//
//	request    request id, access line, panics, cross-site check, CORS for the operator's own panels
//	transport  POST of JSON only; body, document and operation; the HTTP status of the answer
//	limits     refuse expensive documents before validation
//	access     require a signed-in account for every root field that is not on a short public list
//	resolvers  principal, one pure call, one store or use-case call, reply
//
// The resolvers' files are named after their schema files; gqlgen rewrites them, so helpers live elsewhere. `make
// generate` writes generated/ and model/.
package graph
