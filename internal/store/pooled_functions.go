package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"agentchat/internal/conversation"
)

// Behind a pooler in transaction mode nothing can be prepared, and planning the statements of a chat for every message cost 30 % of the
// chats a second. A function keeps its plans for as long as the server's connection lasts. So there each statement of the chat's path is
// the body of a function, made from the same text as the statement, and is called instead of sent. It is named by a hash of the text:
// releases that serve side by side have functions of their own.

// chatStatements are those on the chat's path.
func chatStatements() []string {
	return []string{beginBatchStatement, finishBatchSQL, beginStatements[conversation.API], finishStatement,
		admitStatements[conversation.API]}
}

func functionName(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "chat_" + hex.EncodeToString(hash[:8])
}

// useFunctions finds the functions, if there is a pooler. Statements without one are sent as they are, only slower.
func (s *Store) useFunctions(ctx context.Context) error {
	if !s.cfg.TransactionPooler {
		return nil
	}
	calls := map[string]string{}
	for _, text := range chatStatements() {
		types, err := all[string](ctx, s, `SELECT format_type(t, NULL) FROM pg_proc p, unnest(p.proargtypes) WITH ORDINALITY u(t, n)
			WHERE p.oid = to_regproc($1::text) ORDER BY n`, functionName(text))
		if err != nil {
			return fmt.Errorf("cannot read the database's functions: %w", plainCause(err))
		}
		if len(types) == 0 {
			continue
		}
		for i, kind := range types {
			types[i] = fmt.Sprintf("$%d::%s", i+1, kind)
		}
		calls[text] = fmt.Sprintf("SELECT * FROM %s(%s)", functionName(text), strings.Join(types, ", "))
	}
	s.calls = calls
	return nil
}

// makeFunctions makes the functions that are missing, past the pooler.
func (s *Store) makeFunctions(ctx context.Context) error {
	err := s.useFunctions(ctx)
	if err != nil || !s.cfg.TransactionPooler || s.cfg.MigrateURL == "" || len(s.calls) == len(chatStatements()) {
		return err
	}
	pool, err := s.migrationPool()
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	if err := createFunctions(ctx, pool); err != nil {
		return fmt.Errorf("cannot make the database's functions: %w", plainCause(err))
	}
	return s.useFunctions(ctx)
}

func createFunctions(ctx context.Context, pool *sql.DB) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	return conn.Raw(func(driver any) error {
		return pgx.BeginFunc(ctx, driver.(*stdlib.Conn).Conn(), func(tx pgx.Tx) error {
			// Of several replicas that start together, one works at a time.
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('agentchat functions'))"); err != nil {
				return err
			}
			for _, text := range chatStatements() {
				definition, err := functionOf(ctx, tx, text)
				if err == nil {
					_, err = tx.Exec(ctx, definition)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// functionSQL takes the name, the types of the parameters, the columns, and the statement.
const functionSQL = `CREATE OR REPLACE FUNCTION %s(%s) RETURNS TABLE (%s) LANGUAGE plpgsql AS $agentchat$
	#variable_conflict use_column
	BEGIN RETURN QUERY
%s;
END $agentchat$`

// functionOf writes a statement's function, with the parameters and columns that the server finds in it.
func functionOf(ctx context.Context, tx pgx.Tx, text string) (string, error) {
	statement, err := tx.Conn().PgConn().Prepare(ctx, "", text, nil)
	if err != nil {
		return "", err
	}
	params, err := typeNames(ctx, tx, statement.ParamOIDs)
	if err != nil {
		return "", err
	}
	kinds := make([]uint32, len(statement.Fields))
	for i, f := range statement.Fields {
		kinds[i] = f.DataTypeOID
	}
	columns, err := typeNames(ctx, tx, kinds)
	for i := range columns {
		columns[i] = pgx.Identifier{statement.Fields[i].Name}.Sanitize() + " " + columns[i]
	}
	return fmt.Sprintf(functionSQL, functionName(text), strings.Join(params, ", "), strings.Join(columns, ", "), text), err
}

func typeNames(ctx context.Context, tx pgx.Tx, oids []uint32) ([]string, error) {
	rows, err := tx.Query(ctx, "SELECT format_type(t, NULL) FROM unnest($1::oid[]) WITH ORDINALITY u(t, n) ORDER BY n", oids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
