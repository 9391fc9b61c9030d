package graph

import (
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// maxURLQuery is the longest query string of a GET, in bytes. Proxies rarely accept more.
const maxURLQuery = 8 << 10

// urlTooLong is a query string over maxURLQuery.
const urlTooLong fault.Kind = "url_too_long"

// checkGET refuses a GET that cannot be a query. Faults: MethodNotAllowed, urlTooLong, InvalidJSON.
func checkGET(req *request) error {
	switch {
	case httpapi.PrefersEvents(req.R.Header):
		return notByGET(req, "A stream of events is available only by POST. Send the request by POST.")
	case len(req.R.URL.RawQuery) > maxURLQuery:
		return fault.New(urlTooLong, "The query string is longer than 8 KiB. Send it by POST.")
	case req.R.ContentLength != 0:
		req.CloseConnection() // the body stays unread
		return badBody("A GET must have no body. Send the query in the URL, or use POST.")
	}
	return nil
}

func notByGET(req *request, message string) error {
	req.W.Header().Set("Allow", http.MethodPost)
	return fault.New(httpapi.MethodNotAllowed, message)
}

// readURL reads the operation of a GET from its query string. Fault: InvalidJSON.
func readURL(req *request) (operation, error) {
	values, err := url.ParseQuery(req.R.URL.RawQuery)
	if err != nil {
		return operation{}, badBody("The query string is not valid. Encode its parameters for a URL.")
	}
	for _, each := range values {
		if len(each) > 1 {
			return operation{}, badBody("A parameter is in the query string twice. Send each once.")
		}
	}
	op := operation{
		Variables:  jsontext.Value(values.Get("variables")),
		Extensions: jsontext.Value(values.Get("extensions")),
	}
	for _, value := range []jsontext.Value{op.Variables, op.Extensions} {
		if len(value) > 0 && !value.IsValid() {
			return operation{}, badBody(
				"The parameters variables and extensions must be JSON objects without repeated names.",
			)
		}
	}
	if text := values.Get("query"); text != "" {
		op.Query = &text
	}
	if name := values.Get("operationName"); name != "" {
		op.OperationName = &name
	}
	return op, nil
}

// checkOperation refuses operations that require POST. Fault: MethodNotAllowed.
func checkOperation(req *request, op *ast.OperationDefinition) error {
	switch {
	case req.R.Method != http.MethodGet:
		return nil
	case op.Operation != ast.Query:
		return notByGET(req, "Only queries can be sent by GET. Send mutations and subscriptions by POST.")
	case selectsPostOnly(op.SelectionSet):
		return notByGET(
			req,
			"passwordReset and invitation take a token, and a token must not be in a URL. Send them by POST.",
		)
	}
	return nil
}

// selectsPostOnly reports whether a root selection of a valid document has a field that takes only
// POST, in fragments too.
func selectsPostOnly(set ast.SelectionSet) bool {
	for _, s := range set {
		found := false
		switch s := s.(type) {
		case *ast.Field:
			found = operations["Query."+s.Name].postOnly
		case *ast.InlineFragment:
			found = selectsPostOnly(s.SelectionSet)
		case *ast.FragmentSpread:
			found = selectsPostOnly(s.Definition.SelectionSet)
		}
		if found {
			return true
		}
	}
	return false
}
