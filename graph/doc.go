// Package graph is the control panel's edge: a gqlgen GraphQL API at POST /graphql. A request goes through
//
//	exchange   request id, access line, panics, cross-site check, CORS for the operator's own panels
//	transport  POST of JSON only; body, document and operation; the HTTP status of the answer
//	limits     refuse expensive documents before they are validated
//	access     every root field needs a signed-in account unless it is on a short public list
//	resolvers  principal, one pure call, one store or use-case call, reply
//
// The resolvers' files are named after their schema files; gqlgen rewrites them, so helpers live elsewhere. generated/ and
// model/ are made by `make generate`.
package graph
