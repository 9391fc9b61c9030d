-- The SQL by which another role gives this one what it lacks, in the schema where the tables are or will be.
-- $1 for migrating, else for serving  $2 tables text[]  $3 functions text[]
WITH here AS (
    SELECT w.name, n.oid, current_user::text AS role
    FROM (SELECT replace((parse_ident(split_part(current_setting('search_path'), ',', 1)))[1], '$user', current_user) AS name) w
    LEFT JOIN pg_namespace n ON n.nspname = w.name
), tables AS (
    SELECT c.relowner AS owner, c.oid, c.relname AS name FROM here JOIN pg_class c ON c.relnamespace = here.oid AND c.relname = ANY($2::text[])
), functions AS (
    SELECT p.proowner AS owner, p.oid FROM here JOIN pg_proc p ON p.pronamespace = here.oid AND p.proname = ANY($3::text[])
)
SELECT s.statement FROM here CROSS JOIN LATERAL (
    SELECT 1 AS n, format('CREATE SCHEMA %I AUTHORIZATION %I;', here.name, here.role) AS statement WHERE $1::bool AND here.oid IS NULL
    UNION ALL
    SELECT 2, format('GRANT %s ON SCHEMA %I TO %I;', string_agg(p.name, ', ' ORDER BY p.name), here.name, here.role)
    FROM unnest(CASE WHEN $1::bool THEN '{CREATE,USAGE}' ELSE '{USAGE}' END::text[]) p(name)
    WHERE NOT has_schema_privilege(here.oid, p.name) HAVING count(*) > 0
    UNION ALL
    SELECT DISTINCT 3, format('GRANT %I TO %I;', pg_get_userbyid(o.owner), here.role)
    FROM (SELECT owner FROM tables UNION SELECT owner FROM functions) o WHERE $1::bool AND NOT pg_has_role(o.owner, 'USAGE')
    UNION ALL
    SELECT 4, format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1$I TO %2$I; ', here.name, here.role)
        || string_agg(DISTINCT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I;',
            pg_get_userbyid(t.owner), here.name, here.role), ' ')
    FROM tables t WHERE NOT $1::bool AND NOT (has_table_privilege(t.oid, 'SELECT') AND (t.name = 'goose_db_version' OR
        has_table_privilege(t.oid, 'INSERT') AND has_table_privilege(t.oid, 'UPDATE') AND has_table_privilege(t.oid, 'DELETE')))
    HAVING count(*) > 0
    UNION ALL
    SELECT 5, format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA %I TO %I;', here.name, here.role)
    WHERE NOT $1::bool AND EXISTS (SELECT FROM functions f WHERE NOT has_function_privilege(f.oid, 'EXECUTE'))
) s ORDER BY s.n, s.statement
