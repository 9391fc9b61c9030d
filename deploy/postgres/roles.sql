-- Creates two roles with least rights, and a database. Run it once, as a superuser, or on a managed PostgreSQL as the role that may create
-- roles and databases: psql --file=roles.sql
-- agentchat_owner owns the tables. Migrations connect as this role, with MIGRATE_DATABASE_URL.
-- agentchat serves, with DATABASE_URL. It reads and writes rows, and can neither change nor drop a table.
CREATE ROLE agentchat_owner LOGIN;
CREATE ROLE agentchat LOGIN;
-- Creating objects that another role owns requires membership of that role.
GRANT agentchat_owner TO CURRENT_USER;
-- Set the passwords in psql, so that no log contains them: \password agentchat_owner and \password agentchat
CREATE DATABASE agentchat OWNER agentchat_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE agentchat FROM PUBLIC;
GRANT CONNECT ON DATABASE agentchat TO agentchat;
\connect agentchat
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT CREATE, USAGE ON SCHEMA public TO agentchat_owner;
GRANT USAGE ON SCHEMA public TO agentchat;
-- For the tables that migrations, or a restore, create.
ALTER DEFAULT PRIVILEGES FOR ROLE agentchat_owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO agentchat;
ALTER DEFAULT PRIVILEGES FOR ROLE agentchat_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO agentchat;
-- The service sets these for its connections, which it cannot do behind a pooler in transaction mode.
ALTER ROLE agentchat IN DATABASE agentchat SET statement_timeout = '3500';
ALTER ROLE agentchat IN DATABASE agentchat SET lock_timeout = '3000';
ALTER ROLE agentchat IN DATABASE agentchat SET idle_in_transaction_session_timeout = '7000';
ALTER ROLE agentchat IN DATABASE agentchat SET plan_cache_mode = 'force_generic_plan';
ALTER ROLE agentchat IN DATABASE agentchat SET random_page_cost = '1';
ALTER ROLE agentchat IN DATABASE agentchat SET enable_seqscan = 'off';
ALTER ROLE agentchat IN DATABASE agentchat SET jit = 'off';
ALTER ROLE agentchat IN DATABASE agentchat SET search_path = 'public';
