package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"agentchat/graph/model"
	"agentchat/graph/scalar"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext"
	"agentchat/internal/store/sources"
)

const (
	// maxAgentFile is the largest agent file, in bytes.
	maxAgentFile = 20 << 20
	// maxAnswersFile is the largest file of answers, in bytes.
	maxAnswersFile = 1 << 20
	// maxUpload is the largest body with a file, in bytes: the file, the operation, and the multipart
	// framing.
	maxUpload = maxAgentFile + maxBody
	// maxMap is the largest map of files to variables, in bytes.
	maxMap = 1 << 10
	// uploadTimeout is the time for a body with a file to arrive. A mutation whose limit is
	// larger than knowledge.MaxFile gets it once per MaxFile bytes.
	uploadTimeout = time.Minute
)

// uploads maps the mutations that take a file to its largest size, in bytes.
var uploads = map[string]int64{
	"addKnowledgeFile":       knowledge.MaxFile,
	"replaceKnowledgeSource": knowledge.MaxFile,
	"importKnowledgeAnswers": maxAnswersFile,
	"importAgent":            maxAgentFile,
	"importTestCases":        evaluation.MaxFile,
}

// readUpload reads a body by the GraphQL multipart request specification: the parts "operations",
// "map" and one file, in this order. The sender and the operation are known before the file is
// read. Faults: those of readBody; Unauthorized.
func (p transport) readUpload(
	ctx context.Context,
	req *request,
) (params *graphql.RawParams, err error) {
	defer func() {
		if err != nil {
			req.W.Header().
				Set("Connection", "close")
			// or net/http would read the body before it sends the answer
		}
	}()
	if err := p.h.authenticate(ctx, req); err != nil {
		return nil, err
	}
	httpapi.MoreTime(req.R, uploadTimeout)
	body := http.MaxBytesReader(req.W, req.R.Body, maxUpload)
	parts := parts{multipart.NewReader(body, req.boundary)}
	operations, err := parts.next("operations", maxBody)
	if err != nil {
		return nil, err
	}
	if params, err = parseParams(req, operations); err != nil {
		return nil, err
	}
	limit, err := uploadLimit(params.Query)
	if err != nil {
		return nil, err
	}
	httpapi.MoreTime(req.R, time.Duration(max(limit/knowledge.MaxFile, 1))*uploadTimeout)
	names, err := parts.next("map", maxMap)
	if err != nil {
		return nil, err
	}
	name, place, err := placeOf(names, params.Variables)
	if err != nil {
		return nil, err
	}
	file, err := parts.next(name, limit)
	if err != nil {
		return nil, err
	}
	if err := parts.end(); err != nil {
		return nil, err
	}
	place(scalar.Upload{Content: file})
	_, err = io.Copy(io.Discard, body) // only then does net/http notice a client that disconnects
	return params, unreadPart(err)
}

// uploadLimit returns the largest file of an operation, in bytes. It refuses every operation except
// a single mutation that takes a file. The document's other limits are checked later. Fault:
// InvalidJSON.
func uploadLimit(query string) (int64, error) {
	if len(query) > maxQueryBytes {
		return 0, badBody("The document is longer than 32 KiB.")
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, maxTokens)
	if err != nil {
		return 0, badBody("The document cannot be parsed.")
	}
	if len(doc.Operations) == 1 && doc.Operations[0].Operation == ast.Mutation &&
		len(doc.Operations[0].SelectionSet) == 1 {
		if field, ok := doc.Operations[0].SelectionSet[0].(*ast.Field); ok && uploads[field.Name] > 0 {
			return uploads[field.Name], nil
		}
	}
	return 0, badBody(
		"A multipart request has one operation with one field at its root: addKnowledgeFile, replaceKnowledgeSource, " +
			"importKnowledgeAnswers, importAgent or importTestCases.",
	)
}

// placeOf reads the map, which names one file with one variable. It returns the name of the file's
// part, and a function that sets the variable. Fault: InvalidJSON.
func placeOf(
	text []byte,
	variables map[string]any,
) (name string, place func(scalar.Upload), err error) {
	var names map[string][]string
	if !jsontext.Value(text).IsValid() || json.Unmarshal(text, &names) != nil || len(names) != 1 {
		return "", nil, badBody(
			`The part map is a JSON object with one file, such as {"0": ["variables.input.file"]}.`,
		)
	}
	for part, paths := range names {
		if len(paths) != 1 {
			return "", nil, badBody("The part map names one variable for the file.")
		}
		steps := strings.Split(paths[0], ".")
		if len(steps) < 2 || steps[0] != "variables" {
			return "", nil, badBody("The part map names a variable, such as variables.input.file.")
		}
		last := len(steps) - 1
		for _, step := range steps[1:last] {
			variables, _ = variables[step].(map[string]any)
		}
		if value, given := variables[steps[last]]; !given || value != nil {
			return "", nil, badBody("The variable that the part map names must be null in operations.")
		}
		name, place = part, func(file scalar.Upload) { variables[steps[last]] = file }
	}
	return name, place, nil
}

// addFile adds a file to an agent's draft. Faults: those of newFile and of store.AddFile.
func (r *Resolver) addFile(
	ctx context.Context,
	input model.AddKnowledgeFileInput,
) (knowledge.Source, error) {
	in, err := newFile(ctx, input.Name, input.File, input.Encoding.Value())
	if err != nil {
		return knowledge.Source{}, err
	}
	return sources.On(r.store).AddFile(ctx, owner(ctx), input.AgentID, in)
}

// replaceFile replaces a file with another. Faults: InvalidInput on file if none was sent; those of
// newFile and of store.ReplaceWithFile.
func (r *Resolver) replaceFile(
	ctx context.Context,
	old knowledge.Source,
	name *string,
	file *scalar.Upload,
	encoding *string,
) (knowledge.Source, error) {
	if file == nil {
		return knowledge.Source{}, fault.Invalid(
			fault.Field{Path: "file", Reason: fault.Missing, Message: "Send the new file."},
		)
	}
	if name == nil {
		name = &old.Name
	}
	in, err := newFile(ctx, *name, *file, encoding)
	if err != nil {
		return knowledge.Source{}, err
	}
	return sources.On(r.store).ReplaceWithFile(ctx, owner(ctx), old.ID, in)
}

// newFile checks a file before it is queued for reading. Faults: those of knowledge.CheckFile and
// chosenEncoding.
func newFile(
	ctx context.Context, name string, file scalar.Upload, encoding *string,
) (in sources.NewFile, err error) {
	if err := knowledge.CheckFile(name, int64(len(file.Content))); err != nil {
		return in, err
	}
	in = sources.NewFile{Name: strings.TrimSpace(name), Content: file.Content, By: author(ctx)}
	in.Encoding, err = chosenEncoding(name, encoding)
	return in, err
}

// chosenEncoding returns the canonical name of an owner's choice; nil stays. Fault: that of
// filetext.CheckEncoding.
func chosenEncoding(file string, label *string) (*string, error) {
	if label == nil {
		return nil, nil
	}
	name, err := filetext.CheckEncoding(file, *label)
	return &name, err
}

// retryFile reads a file again. Faults: those of chosenEncoding and store.RetryFile.
func (r *Resolver) retryFile(
	ctx context.Context, id uuid.UUID, choice graphql.Omittable[*string],
) (knowledge.Source, error) {
	encoding, choose := choice.ValueOK()
	if encoding != nil {
		found, err := sources.On(r.store).KnowledgeByIDs(ctx, owner(ctx), []uuid.UUID{id})
		if src, ok := found[id]; ok && src.Kind == knowledge.File {
			encoding, err = chosenEncoding(src.Name, encoding)
		}
		if err != nil {
			return knowledge.Source{}, err
		}
	}
	return sources.On(r.store).RetryFile(ctx, owner(ctx), id, choose, encoding)
}

// parts reads the parts of a multipart body.
type parts struct{ *multipart.Reader }

// next reads the next part, which must have a name. Faults: those of readBody.
func (p parts) next(name string, limit int64) ([]byte, error) {
	part, err := p.NextRawPart()
	if errors.Is(err, io.EOF) {
		return nil, badBody(fmt.Sprintf("The part %q is missing.", name))
	}
	if err != nil {
		return nil, unreadPart(err)
	}
	if part.FormName() != name {
		return nil, badBody(
			fmt.Sprintf(
				"The next part must be %q. The parts are operations, map and the file, in this order.",
				name,
			),
		)
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(io.LimitReader(part, limit+1)); err != nil {
		return nil, unreadPart(err)
	}
	if int64(buf.Len()) > limit {
		return nil, &fault.Error{
			Kind:    httpapi.PayloadTooLarge,
			Message: fmt.Sprintf("The part %q is larger than %d KiB.", name, limit>>10),
			Details: map[string]any{"limit": limit},
		}
	}
	return buf.Bytes(), nil
}

// end checks that no other part follows.
func (p parts) end() error {
	_, err := p.NextRawPart()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return badBody("The body has more parts than operations, map and one file.")
	}
	return unreadPart(err)
}

// unreadPart returns the fault for an error of a multipart body.
func unreadPart(err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*fault.Error](err); ok { // no memory is left
		return f
	}
	err = httpapi.Unread(err, maxUpload)
	if fault.Is(err, httpapi.InvalidJSON) {
		return badBody("The multipart body is broken, or ended too early. Send it whole.")
	}
	return err
}
