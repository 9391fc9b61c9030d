-- +goose Up

-- Ids are UUIDv7 made by the service; order is by stored number, never by id or clock. Every row of an account carries account_id, but for
-- the many small ones of its knowledge, which are their source's.
-- The tables on the path of a chat (conversations, turns, credit_entries) have no foreign keys: checking one would lock the account's
-- row once more for each insert, and the history outlives the rows that it describes.
-- The functions of a turn and of the usage are not here: internal/store/internal/db/sql/functions has their only text.

-- People and accounts ---------------------------------------------------------------------------------------------------------------

CREATE TABLE accounts (
    id             uuid        PRIMARY KEY,
    name           text        NOT NULL,
    state          text        NOT NULL DEFAULT 'ACTIVE' CHECK (state IN ('ACTIVE', 'SUSPENDED', 'DELETED')),
    credit_balance bigint      NOT NULL DEFAULT 0,
    credits_held   bigint      NOT NULL DEFAULT 0,
    entry_count    bigint      NOT NULL DEFAULT 0,
    -- Whether its members need a second factor.
    require_second_factor boolean NOT NULL DEFAULT false,
    -- The owners are notified when the available credits fall to this; null for never.
    low_credits_at bigint      CHECK (low_credits_at > 0),
    -- Conversations without a new message for this many days are deleted; null for the service's limit.
    retention_days integer     CHECK (retention_days BETWEEN 1 AND 36500),
    -- The account's use of its unpaid model calls (GCRA: the theoretical arrival time): see settle_turns.
    unpaid_tat     timestamptz NOT NULL DEFAULT 'epoch',
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- The last line of defence: whatever a statement tries, no credit is spent twice.
    CONSTRAINT accounts_credits_cover CHECK (credits_held >= 0 AND credit_balance >= credits_held),
    CONSTRAINT accounts_balance_range CHECK (credit_balance <= 9007199254740991)
) WITH (fillfactor = 50); -- half-empty pages keep the hot row's updates on its page, without index writes
-- Not on the balance, which would end the updates on the page.
CREATE INDEX accounts_low_credits ON accounts (id) WHERE low_credits_at IS NOT NULL;
CREATE INDEX accounts_retention ON accounts (id) WHERE retention_days IS NOT NULL;
COMMENT ON TABLE accounts IS 'Owners of agents, exports and credits. A deleted one keeps its row, without a name, for the ledger.';

CREATE TABLE users (
    id               uuid        PRIMARY KEY,
    email            text        COLLATE "C" NOT NULL CONSTRAINT users_email UNIQUE,
    name             text        NOT NULL DEFAULT '',
    password_hash    text        NOT NULL,
    -- The second factor: since when it is on, null for none; its encrypted secret; the last step of 30 s whose code counted; and how many
    -- wrong codes there were in a row.
    second_factor_at     timestamptz,
    second_factor_secret bytea,
    second_factor_step   bigint  NOT NULL DEFAULT 0,
    wrong_codes          integer NOT NULL DEFAULT 0,
    -- When it was first shown that the address is the user's; null: the person who signed up may not own it.
    email_verified_at timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_second_factor CHECK ((second_factor_at IS NULL) = (second_factor_secret IS NULL))
);
CREATE INDEX users_second_factor ON users (id) WHERE second_factor_secret IS NOT NULL;
COMMENT ON TABLE users IS 'People who sign in. Their names and passwords are nowhere else.';

CREATE TABLE recovery_codes (
    code_hash bytea PRIMARY KEY CHECK (length(code_hash) = 32),
    user_id   uuid  NOT NULL REFERENCES users ON DELETE CASCADE
);
COMMENT ON TABLE recovery_codes IS 'The SHA-256 of each recovery code, which stands in for the second factor once.';
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

CREATE TABLE memberships (
    account_id uuid        NOT NULL REFERENCES accounts,
    user_id    uuid        NOT NULL REFERENCES users,
    role       text        NOT NULL CHECK (role IN ('OWNER', 'EDITOR', 'VIEWER')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, user_id)
);
COMMENT ON TABLE memberships IS 'The members of accounts, with their roles.';
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE invitations (
    id         uuid        PRIMARY KEY,
    account_id uuid        NOT NULL REFERENCES accounts,
    email      text        COLLATE "C" NOT NULL,
    role       text        NOT NULL CHECK (role IN ('OWNER', 'EDITOR', 'VIEWER')),
    -- An owner of the account, with whose ownership it ends; null for the operator.
    invited_by uuid        REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT invitations_email UNIQUE (account_id, email)
);
COMMENT ON TABLE invitations IS 'Invitations to join an account, until they are accepted, withdrawn or expire. Its tokens are in links: one that is '
    'shown to the inviter, and one that is mailed.';
CREATE INDEX invitations_invited_by ON invitations (invited_by);
CREATE INDEX invitations_expires ON invitations (expires_at);

CREATE TABLE account_tokens (
    id           uuid        PRIMARY KEY,
    account_id   uuid        NOT NULL REFERENCES accounts,
    name         text        NOT NULL,
    hash         bytea       NOT NULL CONSTRAINT account_tokens_hash UNIQUE CHECK (length(hash) = 32),
    hint         text        NOT NULL,
    role         text        NOT NULL CHECK (role IN ('EDITOR', 'VIEWER')),
    created_by   uuid        NOT NULL, -- the user who made it; it outlives the membership, and the user
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    expires_at   timestamptz NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE account_tokens IS 'The SHA-256 of each token by which programs use an account. The token itself is stored nowhere.';
CREATE INDEX account_tokens_account ON account_tokens (account_id, id);
CREATE INDEX account_tokens_expires ON account_tokens (expires_at);

CREATE TABLE sign_ins (
    id           uuid        PRIMARY KEY,
    user_id      uuid        NOT NULL REFERENCES users,
    browser      text        NOT NULL,
    address      text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The last time that the password was entered, or a code where a second factor is on.
    reauthenticated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The encrypted secret of a second factor that is being set up here, and since when.
    pending_factor    bytea,
    pending_factor_at timestamptz,
    rotated_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Each renewal makes the next generation of the refresh token. Only its SHA-256 is stored.
    generation   integer     NOT NULL DEFAULT 1 CHECK (generation > 0),
    refresh_hash bytea       NOT NULL CHECK (length(refresh_hash) = 32),
    -- The end of the sign-in's longest life, and the end of it without a renewal, which is never later.
    expires_at   timestamptz NOT NULL,
    renew_before timestamptz NOT NULL,
    ended_at     timestamptz,
    CONSTRAINT sign_ins_lifetime CHECK (renew_before <= expires_at)
) WITH (fillfactor = 70);
COMMENT ON TABLE sign_ins IS 'Browsers and programs that are signed in, each with its family of refresh tokens.';
CREATE INDEX sign_ins_user ON sign_ins (user_id, id);
CREATE INDEX sign_ins_renew_before ON sign_ins (renew_before);
CREATE INDEX sign_ins_ended ON sign_ins (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE throttles (
    key        bytea         PRIMARY KEY CHECK (length(key) = 32),
    -- The moments of the attempts that counted make the limit exact for every window; a count and a start would let twice as many through.
    hits       timestamptz[] NOT NULL,
    -- Whether the latest attempt was refused.
    refused    boolean       NOT NULL DEFAULT false,
    expires_at timestamptz   NOT NULL,
    -- Whose sign-in was tried; null for an unknown address and for everything else. Without a reference and an index, so that trying a
    -- known address is no more work than an unknown one.
    user_id    uuid
) WITH (fillfactor = 50);
COMMENT ON TABLE throttles IS 'Attempts that are counted over all replicas. The key is a keyed hash: no address and no e-mail is stored.';
CREATE INDEX throttles_expires ON throttles (expires_at);

CREATE TABLE seen_addresses (
    address_hash bytea       PRIMARY KEY CHECK (length(address_hash) = 32),
    seen_at      timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE seen_addresses IS 'Keyed hashes of the e-mail addresses that had an account: starting credits are given once for each, also '
    'when an account was deleted in between.';

CREATE TABLE seen_addresses_key (
    id  boolean PRIMARY KEY DEFAULT true CHECK (id),
    key bytea   NOT NULL CHECK (length(key) = 32)
);
COMMENT ON TABLE seen_addresses_key IS 'The key of seen_addresses, one row, made in this database for this alone.';
-- A random UUID has 122 random bits.
INSERT INTO seen_addresses_key (key)
SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

CREATE TABLE audit_entries (
    id       uuid        PRIMARY KEY, -- by the time at, which the purge goes by
    -- The owner of the trail: a user, for sign-ins, password and second factor, or an account. No references: entries outlive both.
    user_id    uuid,
    account_id uuid,
    actor    text        NOT NULL CHECK (actor IN ('USER', 'TOKEN', 'OPERATOR', 'SYSTEM')),
    -- In an account's trail, the user or the account token who did it. In a user's it is the user.
    actor_id uuid,
    -- The name that an operator gave, unproved; empty for none.
    operator text        NOT NULL DEFAULT '',
    -- A mutation, signInFailed, or an operator's command.
    action   text        NOT NULL,
    -- The id of the object. For an end user, a session's label and a mail it is the account or the user.
    subject  text        NOT NULL,
    fields   text[]      NOT NULL,
    -- Empty where they are not known.
    address  text        NOT NULL DEFAULT '',
    browser  text        NOT NULL DEFAULT '',
    at       timestamptz NOT NULL,
    CHECK ((user_id IS NULL) <> (account_id IS NULL))
);
COMMENT ON TABLE audit_entries IS 'Who did what, to whose sign-ins or in which account, each row written in the transaction of the change. Rows of a deleted '
    'user stay until they are 400 days old, so that an intruder cannot erase the traces by deleting the account. So a row names a user '
    'by the id alone, which leads to nobody once the user is gone, and holds no secret, no text and no id of an end user, which erasing '
    'would miss.';
CREATE INDEX audit_entries_user ON audit_entries (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_entries_account ON audit_entries (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_entries_account_action ON audit_entries (account_id, action, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_entries_account_actor ON audit_entries (account_id, actor_id, id) WHERE account_id IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION audit_entries_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at < clock_timestamp() - interval '400 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_entries is append-only: entries can be deleted after 400 days';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION audit_entries_append_only();
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_append_only();

CREATE TABLE webhooks (
    id              uuid        PRIMARY KEY,
    account_id      uuid        NOT NULL REFERENCES accounts,
    url             text        NOT NULL,
    events          text[]      NOT NULL,
    -- Encrypted for the webhook's id. After a rotation the previous secret signs, too, until previous_until.
    secret          bytea       NOT NULL,
    previous_secret bytea,
    previous_until  timestamptz,
    -- FAILING was switched off after a 410 or because all tries failed, STOPPED by the operator.
    state           text        NOT NULL DEFAULT 'ON' CHECK (state IN ('ON', 'PAUSED', 'FAILING', 'STOPPED')),
    -- The number of the last ledger entry whose answered messages were gathered.
    last_entry      bigint      NOT NULL,
    -- The first failed try since the last success; null after a success.
    failing_since   timestamptz,
    -- No try before this time: a minute after a failure. After a success the time of that, by which webhooks take turns.
    wait_until      timestamptz,
    -- The events dropped because too many were waiting.
    dropped         bigint      NOT NULL DEFAULT 0,
    created_by      uuid,
    created_at      timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE webhooks IS 'Addresses of accounts'' own systems to which events are posted.';
CREATE INDEX webhooks_account ON webhooks (account_id);

CREATE TABLE outbox (
    -- Also the Message-ID, or the webhook-id, which all tries of a message have in common.
    id         uuid        PRIMARY KEY,
    -- Who sends it: a slow receiver of one kind holds up no other kind.
    kind       text        NOT NULL CHECK (kind IN ('MAIL', 'WEBHOOK', 'OWNER_WEBHOOK')),
    message    text        NOT NULL CHECK (message IN ('PASSWORD_RESET', 'PASSWORD_CHANGED', 'NEW_BROWSER', 'SECOND_FACTOR_ON',
        'SECOND_FACTOR_OFF', 'RECOVERY_CODE_USED', 'WRONG_CODE',
        'SIGN_UP', 'VERIFY_ADDRESS', 'CHANGE_ADDRESS', 'UNDO_CHANGE', 'INVITATION', 'ROLE_CHANGED', 'MEMBER_REMOVED', 'WEBHOOK_FAILING',
        -- Events.
        'credits.low', 'credits.used_up', 'export.limit_near', 'key.stops_soon',
        'account.signed_up', 'account.suspended', 'account.resumed', 'account.deleted',
        'message.completed', 'message.failed', 'version.published', 'member.added', 'member.removed', 'member.role_changed',
        'rating.given', 'webhook.test')),
    -- Empty for a webhook.
    address    text        COLLATE "C" NOT NULL,
    -- The account that a mail is about; null for what is about the user alone, and for events.
    account_id uuid,
    -- The event's data at that time; null for other mails.
    data       json,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tries      smallint    NOT NULL DEFAULT 0,
    -- Next attempt, or lease expiry while it is being sent; null when done.
    due_at     timestamptz DEFAULT clock_timestamp(),
    sent_at    timestamptz,
    failed_at  timestamptz,
    -- The error of the last failed try.
    error      text,
    -- For OWNER_WEBHOOK: the webhook, and the last try's HTTP status and duration in milliseconds.
    webhook_id uuid        REFERENCES webhooks ON DELETE CASCADE,
    status     smallint,
    took_ms    integer,
    CONSTRAINT outbox_state CHECK (num_nonnulls(due_at, sent_at, failed_at) = 1),
    CONSTRAINT outbox_kind CHECK (CASE kind WHEN 'MAIL' THEN address <> '' ELSE address = '' AND data IS NOT NULL END
        AND (kind = 'OWNER_WEBHOOK') = (webhook_id IS NOT NULL))
);
COMMENT ON TABLE outbox IS 'Mail to users and webhook events to the operator and accounts. A row is written in the transaction of '
    'its cause, and contains no link and no token.';
CREATE INDEX outbox_due ON outbox (kind, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_address ON outbox (address);
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX outbox_webhook ON outbox (webhook_id, id) WHERE webhook_id IS NOT NULL;
CREATE INDEX outbox_webhook_due ON outbox (webhook_id, due_at) WHERE webhook_id IS NOT NULL AND due_at IS NOT NULL;

CREATE TABLE notifications_sent (
    event   text        NOT NULL CHECK (event IN ('credits.low', 'credits.used_up', 'export.limit_near', 'key.stops_soon')),
    -- The account, the export or the key.
    subject uuid        NOT NULL,
    -- The period of the limit, or when the key stops; empty for credits.
    about   text        NOT NULL DEFAULT '',
    at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (event, subject, about)
);
COMMENT ON TABLE notifications_sent IS 'Events that owners and the operator were notified of: each is sent once. Rows about credits are removed '
    'when the account has more credits again, others after 40 days.';
CREATE INDEX notifications_sent_past ON notifications_sent (at) WHERE about <> '';

CREATE TABLE credit_check_cursors (
    account_id uuid   PRIMARY KEY,
    last_entry bigint NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE credit_check_cursors IS 'The number of an account''s newest ledger entry at the last scan for used-up credits. '
    'It has no foreign key: a scan locks no row that chats write.';

CREATE TABLE links (
    token_hash    bytea       PRIMARY KEY CHECK (length(token_hash) = 32),
    purpose       text        NOT NULL CHECK (purpose IN ('PASSWORD_RESET', 'SIGN_UP', 'VERIFY_ADDRESS',
                      'CHANGE_ADDRESS', 'UNDO_CHANGE', 'INVITATION')), -- as its mail is called
    -- The user of the link; null for a sign-up and an invitation, which may have no user yet.
    user_id       uuid        REFERENCES users ON DELETE CASCADE,
    invitation_id uuid        REFERENCES invitations ON DELETE CASCADE,
    -- The address that it is sent to.
    email         text        COLLATE "C" NOT NULL,
    -- The mail that carries it; null for a link that the operator or an inviter passes on. Each try has a token of its own, and they are one link.
    outbox_id     uuid,
    -- When it was requested or, for UNDO_CHANGE, when the address was changed.
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at    timestamptz NOT NULL,
    -- Of UNDO_CHANGE: since when the address had been proved; null if it never was.
    verified_at   timestamptz,
    -- Of SIGN_UP: the account to open, and the password that must be entered with the link.
    name          text,
    password_hash text,
    CONSTRAINT links_invitation CHECK ((purpose = 'INVITATION') = (invitation_id IS NOT NULL)),
    CONSTRAINT links_sign_up CHECK ((purpose IN ('SIGN_UP', 'INVITATION')) = (user_id IS NULL)
        AND num_nonnulls(name, password_hash) = CASE WHEN purpose = 'SIGN_UP' THEN 2 ELSE 0 END)
);
COMMENT ON TABLE links IS 'Links that are mailed, or passed on by the operator or an inviter: the SHA-256 of each token, which works once. Most are '
    'reserved with their mail: a row whose hash belongs to no token. Each attempt to send the mail copies it with a token.';
CREATE INDEX links_user ON links (user_id);
CREATE INDEX links_email ON links (email);
CREATE INDEX links_outbox ON links (outbox_id);
CREATE INDEX links_invitation ON links (invitation_id);
CREATE INDEX links_expires ON links (expires_at);

-- Agents and their exports ----------------------------------------------------------------------------------------------------------

CREATE TABLE agents (
    id                uuid        PRIMARY KEY,
    account_id        uuid        NOT NULL REFERENCES accounts,
    name              text        NOT NULL,
    description       text        NOT NULL DEFAULT '',
    -- The draft: all that shapes a reply, as internal/agent.Settings writes it.
    settings          jsonb       NOT NULL DEFAULT '{}',
    -- DRAFT until the first version is published. Callers of a LIVE agent get the published version; an OFFLINE one answers none.
    state             text        NOT NULL DEFAULT 'DRAFT' CHECK (state IN ('DRAFT', 'LIVE', 'OFFLINE')),
    published_version integer,
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    -- When the draft last changed: a turn that began later was answered by the current draft.
    settings_at       timestamptz NOT NULL DEFAULT now(),
    -- Whether the draft has a source that is READY: messages of an agent without one pay nothing for knowledge.
    has_knowledge     boolean     NOT NULL DEFAULT false,
    -- draft_revision grows with each change of the draft's settings or sources. tests has the test settings, as store/tests.Settings
    -- writes them. The last numbers given to a case and to a run are never used again.
    draft_revision    bigint      NOT NULL DEFAULT 0,
    tests             jsonb       NOT NULL DEFAULT '{}',
    last_test_case    integer     NOT NULL DEFAULT 0,
    last_test_run     integer     NOT NULL DEFAULT 0,
    -- In the future while a copy or an import fills the agent: readers test for null, and the purge compares with the clock.
    deleted_at        timestamptz,
    CONSTRAINT agents_published CHECK ((state = 'DRAFT') = (published_version IS NULL))
);
COMMENT ON TABLE agents IS 'Agents with their drafts. A deleted one leaves the table when nothing of it is left.';
CREATE INDEX agents_account ON agents (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX agents_deleted ON agents (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE agent_versions (
    agent_id   uuid        NOT NULL REFERENCES agents ON DELETE CASCADE,
    number     integer     NOT NULL CHECK (number > 0),
    id         uuid        NOT NULL CONSTRAINT agent_versions_id UNIQUE,
    account_id uuid        NOT NULL,
    note       text        NOT NULL,
    settings   jsonb       NOT NULL,
    -- The user, or the account token, who published it; null for the service itself, which makes the demo. So in other tables.
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Whether any source of the version is left.
    has_knowledge boolean  NOT NULL DEFAULT false,
    -- The SHA-256 of the draft's settings and READY sources: see internal/store/sources.DraftFingerprint.
    fingerprint bytea      NOT NULL CHECK (length(fingerprint) = 32),
    PRIMARY KEY (agent_id, number)
);
COMMENT ON TABLE agent_versions IS 'The published copies of an agent''s settings. They are never changed, but lose knowledge that is deleted.';

CREATE TABLE knowledge_sources (
    id            uuid           PRIMARY KEY,
    -- By which passages and postings name it: they are many, and small.
    number        integer        NOT NULL GENERATED ALWAYS AS IDENTITY CONSTRAINT knowledge_sources_number UNIQUE,
    account_id    uuid           NOT NULL REFERENCES accounts,
    agent_id      uuid           NOT NULL REFERENCES agents,
    kind          text           NOT NULL CHECK (kind IN ('TEXT', 'ANSWER', 'FILE')),
    name          text           NOT NULL,
    questions     jsonb,
    state         text           NOT NULL CHECK (state IN ('WAITING', 'READING', 'READY', 'FAILED')),
    -- Why it has failed, for its owner.
    reason        text,
    -- The size of the source as added, then the result of reading it: its text, without repetitions, and its passages.
    size          bigint         NOT NULL,
    characters    integer        NOT NULL DEFAULT 0,
    text          text           NOT NULL DEFAULT '',
    -- knowledge.Digest of the text, by which the agent's draft has none twice.
    text_hash     bytea          CHECK (length(text_hash) = 32),
    -- The hash of the exact text, for the fingerprint of drafts.
    exact_hash    bigint         NOT NULL GENERATED ALWAYS AS (hashtextextended(text, 0)) STORED,
    -- How many passages it has, and the size of their text.
    passage_count integer        NOT NULL DEFAULT 0,
    bytes         bigint         NOT NULL DEFAULT 0,
    pages         integer,
    -- Its encoding, for texts, web pages and tables that were read; what its text leaves out, as an array of knowledge.Note.
    encoding      text,
    notes         jsonb          NOT NULL DEFAULT '[]',
    -- The versions that have it, by their numbers. While the draft has it that is every version to come: the last range has no end. Before a
    -- source is READY only the draft has it, and the range is empty.
    versions      int4multirange NOT NULL DEFAULT '{}' CHECK (state = 'READY' OR isempty(versions)),
    created_by    uuid,
    created_at    timestamptz    NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE knowledge_sources IS 'What agents know: texts, answers and files. One that neither the draft nor a version has is not here.';
CREATE INDEX knowledge_sources_agent ON knowledge_sources (agent_id, id);
CREATE INDEX knowledge_sources_account ON knowledge_sources (account_id, id) INCLUDE (passage_count);

CREATE TABLE knowledge_files (
    source     integer     PRIMARY KEY REFERENCES knowledge_sources (number) ON DELETE CASCADE,
    account_id uuid        NOT NULL,
    content    bytea       NOT NULL,
    -- The source whose place in the draft it takes once it has been read.
    replaces   uuid,
    -- The owner's choice; null if it is detected.
    encoding   text,
    -- Whether it is read among the small files, which do not wait for large ones.
    quick      boolean     NOT NULL,
    -- When a replica may read it, or lease expiry while one does; null once it has failed.
    due_at     timestamptz DEFAULT clock_timestamp(),
    -- The number of reads that began and did not finish.
    attempts   smallint    NOT NULL DEFAULT 0
);
-- Most files are compressed already.
ALTER TABLE knowledge_files ALTER content SET STORAGE EXTERNAL;
COMMENT ON TABLE knowledge_files IS 'Files as they were uploaded: those that have not been read yet, or could not be.';
CREATE INDEX knowledge_files_account ON knowledge_files (account_id, source);
-- For a replica that looks for work: nearly always empty. The second finds the files that are being read.
CREATE INDEX knowledge_files_due ON knowledge_files (quick, account_id, source) WHERE due_at IS NOT NULL;
CREATE INDEX knowledge_files_reading ON knowledge_files (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE knowledge_passages (
    source  integer  NOT NULL REFERENCES knowledge_sources (number),
    passage smallint NOT NULL CHECK (passage > 0),
    heading text     NOT NULL,
    page    integer,
    text    text     NOT NULL,
    -- How many postings it has.
    terms   smallint NOT NULL,
    PRIMARY KEY (source, passage)
);
COMMENT ON TABLE knowledge_passages IS 'The parts of sources that a search finds and a model is given.';

-- Without a foreign key: a passage has a hundred and more of these, and each would be checked by itself.
CREATE TABLE knowledge_postings (
    -- knowledge.Key of the agent and the term: a search reads the rows of its own agent alone.
    term    bigint   NOT NULL,
    source  integer  NOT NULL,
    passage smallint NOT NULL,
    -- knowledge.Weight: what the term says about the passage, whatever the other passages are.
    weight  smallint NOT NULL,
    -- The weight takes no room in the index, which aligns its rows, and lets a search read nothing else.
    PRIMARY KEY (term, source, passage) INCLUDE (weight)
) WITH ( -- so that most pages are known to be visible to all, and a search reads the index alone
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000
);
COMMENT ON TABLE knowledge_postings IS 'Which passages have a term.';
-- For deletion. Its rows are alike, so it is small.
CREATE INDEX knowledge_postings_passage ON knowledge_postings (source, passage);

CREATE TABLE test_cases (
    id              uuid        PRIMARY KEY,
    account_id      uuid        NOT NULL,
    agent_id        uuid        NOT NULL REFERENCES agents,
    -- An edit inserts a new row with the number of the old one.
    number          integer     NOT NULL CHECK (number > 0),
    -- JSON text, as internal/evaluation reads it; empty once erased.
    document        text        NOT NULL,
    -- Copied from the document: whether whole runs include the case, the number of its judge checks, and whether it has
    -- results of actions. A run can then be planned and priced without reading documents.
    enabled         boolean     NOT NULL,
    judge_checks    integer     NOT NULL,
    has_results     boolean     NOT NULL,
    -- The conversation that the case was made from. Deleting it erases the case.
    conversation_id uuid,
    -- ended_at is the time of its edit or deletion, erased_at of the deletion of its conversation. A background job then deletes the row.
    ended_at        timestamptz,
    erased_at       timestamptz,
    created_by      uuid,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT test_cases_erased CHECK ((erased_at IS NULL) = (document <> ''))
);
COMMENT ON TABLE test_cases IS 'The test cases of agents. A row changes only when it ends or is erased. Ended cases stay while a run has them.';
CREATE UNIQUE INDEX test_cases_number ON test_cases (agent_id, number) WHERE ended_at IS NULL AND erased_at IS NULL;
CREATE INDEX test_cases_agent ON test_cases (agent_id, id);
CREATE INDEX test_cases_conversation ON test_cases (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX test_cases_ended ON test_cases (agent_id, ended_at) WHERE ended_at IS NOT NULL;
-- This index stays small: a background task deletes such rows.
CREATE INDEX test_cases_erasing ON test_cases (erased_at) WHERE erased_at IS NOT NULL;

CREATE TABLE test_runs (
    id              uuid        PRIMARY KEY,
    account_id      uuid        NOT NULL,
    agent_id        uuid        NOT NULL REFERENCES agents,
    number          integer     NOT NULL CHECK (number > 0),
    -- What is tested. A null version is the draft; a null model is its own.
    version         integer,
    model           text,
    fingerprint     bytea       NOT NULL CHECK (length(fingerprint) = 32),
    -- The draft's revision when the run began, or the number of the version's sources. A change stops the run.
    revision        bigint      NOT NULL,
    judge_agent_id  uuid,
    judge_version   integer,
    cases           uuid[]      NOT NULL CHECK (cardinality(cases) > 0),
    -- Whether it has all cases that were enabled at its start.
    whole           boolean     NOT NULL,
    repeats         integer     NOT NULL CHECK (repeats BETWEEN 1 AND 5),
    needed          integer     NOT NULL CHECK (needed BETWEEN 1 AND repeats),
    most_credits    bigint      NOT NULL CHECK (most_credits >= 0),
    budget          bigint      NOT NULL CHECK (budget >= 0),
    state           text        NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'PASSED', 'FAILED', 'STOPPED')),
    stop_reason     text        CHECK (stop_reason IN
        ('CANCELLED', 'BUDGET', 'CREDITS', 'DRAFT_CHANGED', 'KNOWLEDGE_CHANGED', 'UNAVAILABLE', 'UNPAID')),
    -- The number of attempts with a result.
    done            integer     NOT NULL DEFAULT 0,
    credits         bigint      NOT NULL DEFAULT 0,
    started_by      uuid        NOT NULL,
    by_token        boolean     NOT NULL,
    idempotency_key text        COLLATE "C",
    -- When a replica may claim it, or when the current claim's lease ends; null once the run has ended.
    due_at          timestamptz DEFAULT clock_timestamp(),
    -- attempt grows with each claim, so that a replica with an older claim can no longer write. lost counts the claims
    -- that were not released: the current one, and those of lost replicas.
    attempt         integer     NOT NULL DEFAULT 0,
    lost            integer     NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at        timestamptz,
    -- When the run was hidden. Once its sessions are deleted: the end of the UTC day on which it was started.
    deleted_at      timestamptz,
    CONSTRAINT test_runs_number UNIQUE (agent_id, number),
    CONSTRAINT test_runs_idempotency UNIQUE (agent_id, idempotency_key),
    CONSTRAINT test_runs_ended CHECK ((ended_at IS NULL) = (state IN ('WAITING', 'RUNNING'))),
    -- A running run may already have the reason for which its replica will stop it.
    CONSTRAINT test_runs_stopped CHECK (CASE state WHEN 'STOPPED' THEN stop_reason IS NOT NULL WHEN 'RUNNING' THEN true
        ELSE stop_reason IS NULL END)
);
COMMENT ON TABLE test_runs IS 'Runs of test cases. The row of a deleted run is removed once its sessions are deleted and its day has ended.';
CREATE INDEX test_runs_account ON test_runs (account_id, id);
CREATE INDEX test_runs_due ON test_runs (account_id, due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX test_runs_running ON test_runs (account_id) WHERE state = 'RUNNING';
CREATE INDEX test_runs_deleted ON test_runs (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE test_results (
    run_id        uuid    NOT NULL REFERENCES test_runs ON DELETE CASCADE,
    case_number   integer NOT NULL,
    repeat        integer NOT NULL CHECK (repeat > 0),
    case_id       uuid    NOT NULL,
    passed        boolean NOT NULL,
    -- The outcome of each check, without texts: those are in turns.
    verdicts      jsonb   NOT NULL,
    error_code    text,
    turn_id       uuid,
    credits       bigint  NOT NULL CHECK (credits >= 0),
    model         text,
    input_tokens  bigint,
    output_tokens bigint,
    duration_ms   integer,
    PRIMARY KEY (run_id, case_number, repeat)
);
COMMENT ON TABLE test_results IS 'The results of finished attempts of runs. Rows are never changed.';

CREATE TABLE api_exports (
    id                       uuid        PRIMARY KEY,
    account_id               uuid        NOT NULL REFERENCES accounts,
    agent_id                 uuid        NOT NULL REFERENCES agents,
    name                     text        NOT NULL,
    rate_per_minute          integer     NOT NULL DEFAULT 600 CHECK (rate_per_minute BETWEEN 1 AND 1000000),
    -- The theoretical arrival time of the generic cell rate algorithm (GCRA): one timestamp is the whole state of the rate.
    rate_tat                 timestamptz NOT NULL DEFAULT 'epoch',
    -- The version that the export is pinned to; null follows the published one.
    version                  integer,
    -- The limits; null for none.
    require_user_id          boolean     NOT NULL DEFAULT false,
    daily_credit_limit       bigint,
    monthly_credit_limit     bigint,
    user_daily_message_limit integer,
    created_by               uuid,
    created_at               timestamptz NOT NULL DEFAULT now(),
    paused_at                timestamptz,
    expires_at               timestamptz,
    removed_at               timestamptz
) WITH (fillfactor = 50);
COMMENT ON TABLE api_exports IS 'API access to one agent each, with its keys, its rate and its limits.';
CREATE INDEX api_exports_account ON api_exports (account_id, id);
CREATE INDEX api_exports_agent ON api_exports (agent_id, id);
-- An account may have removed any number of exports; those in use are few.
CREATE INDEX api_exports_in_use ON api_exports (account_id, id) WHERE removed_at IS NULL;
CREATE INDEX api_exports_expires ON api_exports (expires_at) WHERE expires_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX api_exports_agent_in_use ON api_exports (agent_id, id) WHERE removed_at IS NULL;

CREATE TABLE api_keys (
    id           uuid        PRIMARY KEY,
    account_id   uuid        NOT NULL REFERENCES accounts,
    export_id    uuid        NOT NULL REFERENCES api_exports,
    hash         bytea       NOT NULL CONSTRAINT api_keys_hash UNIQUE CHECK (length(hash) = 32),
    hint         text        NOT NULL,
    created_by   uuid,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- When it stops by itself; set while it is being replaced.
    stops_at     timestamptz,
    removed_at   timestamptz,
    last_used_at timestamptz
) WITH (fillfactor = 70);
COMMENT ON TABLE api_keys IS 'The SHA-256 of each key. The key itself is stored nowhere.';
CREATE INDEX api_keys_export ON api_keys (export_id, id);
CREATE INDEX api_keys_stops ON api_keys (stops_at) WHERE stops_at IS NOT NULL AND removed_at IS NULL;

CREATE TABLE limit_counters (
    -- The export; for an end user's own limit the account, over which it counts.
    counted_for uuid        NOT NULL,
    -- DAY and MONTH count an export's credits, USER_DAY an end user's messages.
    period      text        NOT NULL CHECK (period IN ('DAY', 'MONTH', 'USER_DAY')),
    -- The period's first day, in UTC.
    starts      date        NOT NULL,
    user_hash   bytea       NOT NULL DEFAULT '',
    account_id  uuid        NOT NULL,
    used        bigint      NOT NULL,
    -- The limit when a turn was last counted.
    allowed     bigint      NOT NULL,
    -- What was used before the counter began, and when it did.
    base        bigint      NOT NULL DEFAULT 0,
    since       timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (starts, counted_for, period, user_hash),
    -- As with the credits: whatever a statement tries, no limit is overrun.
    CONSTRAINT limit_counters_cover CHECK (used >= 0 AND used <= allowed)
) WITH (fillfactor = 50);
COMMENT ON TABLE limit_counters IS 'What an export, or an end user, has used of a limit in a period: the turns that are pending or answered.';

CREATE TABLE end_users_key (
    id  boolean PRIMARY KEY DEFAULT true CHECK (id),
    key bytea   NOT NULL CHECK (length(key) = 32)
);
COMMENT ON TABLE end_users_key IS 'The key, one row, of the hashes by which end users are counted: erasing one leaves no id behind, and resets '
    'no limit.';
INSERT INTO end_users_key (key)
SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

CREATE TABLE end_users (
    account_id          uuid        NOT NULL REFERENCES accounts,
    -- end_user_hash_1 of the id, by which a message finds the row.
    user_hash           bytea       NOT NULL CHECK (length(user_hash) = 32),
    -- Null once the end user was erased.
    user_id             text        COLLATE "C",
    blocked_at          timestamptz,
    -- The end user's own limit of messages in a UTC day, over the whole account, instead of the exports' limits; null for none.
    daily_message_limit integer,
    created_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, user_hash)
);
COMMENT ON TABLE end_users IS 'The end users whom an owner has blocked or given a limit of their own. No message adds one.';
CREATE INDEX end_users_id ON end_users (account_id, user_id) WHERE user_id IS NOT NULL;

-- Conversations and credits ---------------------------------------------------------------------------------------------------------

CREATE TABLE conversations (
    id              uuid        PRIMARY KEY,
    account_id      uuid        NOT NULL,
    agent_id        uuid        NOT NULL,
    source          text        NOT NULL CHECK (source IN ('API', 'PLAYGROUND', 'TEST')),
    session_id      text        COLLATE "C" NOT NULL,
    -- The end user that the conversation belongs to; null for none. It stays in a deleted conversation until its turns have no text.
    user_id         text        COLLATE "C",
    -- The turn up to which a session of the playground reads another conversation before its own turns; null for none.
    continues       uuid,
    -- Whether any of its turns has results of actions: then more turns must be read for the same number of messages.
    has_results     boolean     NOT NULL DEFAULT false,
    turn_count      bigint      NOT NULL,
    -- What the turns up to number counted_turns cost; those after it are added up when it is asked for.
    counted_turns   bigint      NOT NULL DEFAULT 0,
    counted_credits bigint      NOT NULL DEFAULT 0,
    failed_turns    bigint      NOT NULL DEFAULT 0,
    -- The number of good and of bad ratings of its replies, by callers and the team.
    rated_up        integer     NOT NULL DEFAULT 0,
    rated_down      integer     NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    last_turn_at    timestamptz NOT NULL DEFAULT now(),
    -- A deleted conversation keeps its row, without text and session ID, as long as its idempotency keys are kept.
    deleted_at      timestamptz
) WITH (fillfactor = 70);
COMMENT ON TABLE conversations IS 'The turns of one agent under one session ID.';
CREATE UNIQUE INDEX conversations_session ON conversations (agent_id, source, session_id) WHERE deleted_at IS NULL;
-- The conversations of an agent and, agent by agent, of an account: those of deleted agents are never met.
CREATE INDEX conversations_latest ON conversations (agent_id, source, last_turn_at, id) WHERE deleted_at IS NULL;
CREATE INDEX conversations_failed ON conversations (agent_id, source, last_turn_at, id) WHERE failed_turns > 0 AND deleted_at IS NULL;
CREATE INDEX conversations_rated ON conversations (agent_id, source, last_turn_at, id) WHERE rated_up + rated_down > 0 AND deleted_at IS NULL;
-- An account's end users, also of one agent.
CREATE INDEX conversations_end_user ON conversations (account_id, user_id, agent_id) WHERE user_id IS NOT NULL AND deleted_at IS NULL;
-- These empty themselves: rows due for purging, erased end users whose text still exists, and those whose counts are far behind.
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX conversations_erasing ON conversations (deleted_at) WHERE user_id IS NOT NULL AND deleted_at IS NOT NULL;
CREATE INDEX conversations_uncounted ON conversations (id) WHERE turn_count - counted_turns > 200 AND deleted_at IS NULL;

CREATE TABLE turns (
    id                uuid        PRIMARY KEY,
    account_id        uuid        NOT NULL,
    agent_id          uuid        NOT NULL,
    conversation_id   uuid        NOT NULL,
    export_id         uuid,
    source            text        NOT NULL CHECK (source IN ('API', 'PLAYGROUND', 'TEST')),
    number            bigint      NOT NULL,
    state             text        NOT NULL CHECK (state IN ('PENDING', 'ANSWERED', 'FAILED')),
    message           text        NOT NULL,
    -- A turn that brings the results of actions instead of a message: the results, a JSON list; the turn that asked for the actions; and the
    -- number of the turn whose message it continues. Null for a message.
    action_results    text,
    results_for       uuid,
    message_number    bigint,
    -- The values that came with the message, an object; null for none.
    variables         jsonb,
    reply             text,
    -- Whether the reply is JSON that matches the version's reply schema; null for no. A failed turn has an excerpt of
    -- the last reply that violated the schema: a whole one would be a reply without a charge.
    structured        boolean,
    rejected_reply    text        CHECK (char_length(rejected_reply) <= 500),
    -- The actions that the reply asks for, a JSON list, how many, and what the model's adapter keeps of it; null for none. No function of
    -- the database reads the JSON of models and callers: it can hold U+0000.
    action_calls      text,
    action_count      smallint,
    action_provider   text,
    -- The passages that the model was given, by number, and which of them the reply cites, as package chat writes it; null for none.
    knowledge         text,
    finish_reason     text,
    error_code        text,
    -- The provider's refusal that failed the turn: its HTTP status, its code, and its text without secrets; null for none.
    provider_status   smallint,
    provider_code     text,
    provider_error    text        CHECK (length(provider_error) <= 300),
    -- The version that answered; null for the playground's draft.
    version           integer,
    -- The model that answered or failed, whether that is the fallback model (null for no), and its price. While the turn is pending: the
    -- agent's model, and what is held, which is the higher of the two models' prices.
    model             text        NOT NULL,
    fallback          boolean,
    price             bigint      NOT NULL CHECK (price >= 0),
    credits_remaining bigint,
    input_tokens      bigint,
    output_tokens     bigint,
    -- The part of the input that the provider had cached; null if it reported none.
    cached_tokens     bigint,
    -- The cost of all model calls at their providers, in nano-dollars; null: unknown. No CHECK: each statement would parse it again.
    provider_cost     bigint,
    -- The bytes of text in the model's input: instructions, earlier turns and message. With the model's token count this gives its tokens
    -- per byte, for the choice of the next turn's context.
    input_bytes       bigint,
    request_id        text        NOT NULL,
    idempotency_key   text        COLLATE "C",
    fingerprint       bytea,
    deadline          timestamptz NOT NULL,
    -- The number of the replica that began the turn: if it dies, others fail the turn. Null if the replica has none.
    replica           integer,
    -- True if the turn is answered in the background, without a waiting caller; null otherwise.
    background        boolean,
    -- The days and the month whose counters include the turn, and the hash by which its end user is counted; null where there was no limit.
    day_counted       date,
    month_counted     date,
    user_day_counted  date,
    user_hash         bytea,
    -- Whether the end user's day is that of their own limit, which the account counts instead of the export; null for no.
    own_limit         boolean,
    -- The number of earlier turns in the prompt of the last model call; null without a call.
    earlier_turns     integer,
    -- Milliseconds since the request arrived: until the turn began, until the first text of a streamed reply was sent, and until its end was
    -- stored; and how long its model took. Null where it is not known.
    waited_ms         integer,
    model_ms          integer,
    first_text_ms     integer,
    duration_ms       integer,
    streamed          boolean,
    -- Whether a failed turn is in the usage and in its conversation's failed turns.
    counted           boolean     NOT NULL DEFAULT false,
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    settled_at        timestamptz,
    -- When its conversation was deleted while the turn was pending: settling it stores no reply, and charges it only if text had left the
    -- service. Null for every other turn.
    deleted_at        timestamptz,
    CONSTRAINT turns_number UNIQUE (conversation_id, number)
);
COMMENT ON TABLE turns IS 'A message or the results of actions each, with its reply or failure; pending while the model works.';
-- One turn at a time in a conversation, over all replicas. The few pending ones are also where the reaper looks.
CREATE UNIQUE INDEX turns_one_pending ON turns (conversation_id) WHERE state = 'PENDING';
-- A failed turn frees its idempotency key: the retry is a new attempt. A failed background turn keeps it, because its retries ask for the
-- result, unless the model or the service was unavailable. begin_turns repeats the last condition word for word.
CREATE UNIQUE INDEX turns_idempotency ON turns (agent_id, source, idempotency_key)
    WHERE idempotency_key IS NOT NULL AND (state <> 'FAILED' OR background AND error_code NOT IN ('unavailable', 'model_unavailable'));
-- The requests of an export, the failed ones by code, and those under a request ID, by its hash, which is shorter. A turn gets its entries
-- when it is settled.
CREATE INDEX turns_requests ON turns (export_id, id) WHERE state <> 'PENDING' AND export_id IS NOT NULL;
CREATE INDEX turns_failed ON turns (export_id, id) WHERE state = 'FAILED' AND export_id IS NOT NULL;
CREATE INDEX turns_failed_code ON turns (export_id, error_code, id) WHERE state = 'FAILED' AND export_id IS NOT NULL;
CREATE INDEX turns_request_id ON turns (hashtextextended(request_id, 0), account_id, id) WHERE state <> 'PENDING';
-- Failed turns that are not counted yet: it empties itself.
CREATE INDEX turns_uncounted ON turns (account_id, id) WHERE state = 'FAILED' AND NOT counted;

CREATE TABLE ratings (
    turn_id    uuid        NOT NULL,
    -- CALLER is a rating through the API, TEAM a rating by the account's members and tokens.
    kind       text        NOT NULL CHECK (kind IN ('CALLER', 'TEAM')),
    account_id uuid        NOT NULL,
    agent_id   uuid        NOT NULL,
    value      smallint    NOT NULL CHECK (value IN (-1, 1)),
    note       text        NOT NULL,
    -- The member or account token; null for a caller.
    rated_by   uuid,
    rated_at   timestamptz NOT NULL,
    PRIMARY KEY (turn_id, kind)
);
COMMENT ON TABLE ratings IS 'The ratings of answered replies. They are written under the lock of a live conversation, and deleted by '
    'the statements that delete its turns or wipe their text.';
-- An agent's ratings, newest message first, of each kind and value.
CREATE INDEX ratings_agent ON ratings (agent_id, kind, value, turn_id);

CREATE TABLE rating_counts (
    agent_id uuid    NOT NULL REFERENCES agents ON DELETE CASCADE,
    version  integer NOT NULL,
    up       bigint  NOT NULL,
    down     bigint  NOT NULL,
    PRIMARY KEY (agent_id, version)
) WITH (fillfactor = 50);
COMMENT ON TABLE rating_counts IS 'The counts of callers'' ratings of a version''s replies. Deleting conversations leaves them unchanged.';

CREATE TABLE credit_entries (
    id            uuid        NOT NULL, -- a charge's is made from its turn's, so that it needs no index
    account_id    uuid        NOT NULL,
    number        bigint      NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('GRANT', 'CHARGE', 'ADJUSTMENT')),
    amount        bigint      NOT NULL CHECK (kind <> 'CHARGE' OR amount <= 0),
    balance_after bigint      NOT NULL CHECK (balance_after >= 0),
    note          text        NOT NULL DEFAULT '',
    reference     text        COLLATE "C",
    agent_id      uuid,
    agent_name    text        NOT NULL DEFAULT '',
    export_id     uuid,
    export_name   text        NOT NULL DEFAULT '',
    turn_id       uuid,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT credit_entries_number UNIQUE (account_id, number),
    -- A turn is charged once, whatever repeats the settling.
    CONSTRAINT credit_entries_once UNIQUE (turn_id, kind)
);
COMMENT ON TABLE credit_entries IS 'The credit history, append-only. Its sum is the balance.';
ALTER TABLE credit_entries REPLICA IDENTITY USING INDEX credit_entries_number;
CREATE UNIQUE INDEX credit_entries_reference ON credit_entries (reference, account_id) WHERE reference IS NOT NULL;
-- The history of one agent and of one export, which belong to one account. An account's whole history is read by credit_entries_number,
-- also from and to a moment: entries are numbered in the order of their times.
CREATE INDEX credit_entries_agent ON credit_entries (agent_id, number) WHERE agent_id IS NOT NULL;
CREATE INDEX credit_entries_export ON credit_entries (export_id, number) WHERE export_id IS NOT NULL;
-- Charges are by far the most: without them, these cost a chat nothing.
CREATE INDEX credit_entries_kind ON credit_entries (account_id, kind, number) WHERE kind <> 'CHARGE';
CREATE INDEX credit_entries_id ON credit_entries (account_id, id) WHERE kind <> 'CHARGE';

-- +goose StatementBegin
CREATE FUNCTION credit_entries_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'credit_entries is append-only: correct with an ADJUSTMENT entry';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER credit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION credit_entries_append_only();

CREATE TABLE bound_references (
    reference  text COLLATE "C" PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts
);
COMMENT ON TABLE bound_references IS 'References of grants that one account of all may have, such as a payment: they stay when it is deleted.';

-- What was used, and what was asked -------------------------------------------------------------------------------------------------

CREATE TABLE usage_rollups (
    account_id    uuid        NOT NULL,
    -- Each quarter of an hour, and again each hour, quarter of a day and day, in UTC: a long range is read from few rows, whatever zone its
    -- days begin in.
    minutes       smallint    NOT NULL,
    start         timestamptz NOT NULL,
    agent_id      uuid        NOT NULL,
    -- The null UUID for the playground.
    export_id     uuid        NOT NULL,
    -- Empty where they are not known: charges whose turn was erased before it was counted here, and refused requests.
    model         text        COLLATE "C" NOT NULL,
    source        text        COLLATE "C" NOT NULL,
    -- 'answered', or the REST API's code for why it failed or was refused.
    status        text        COLLATE "C" NOT NULL,
    messages      bigint      NOT NULL DEFAULT 0,
    failed        bigint      NOT NULL DEFAULT 0,
    refused       bigint      NOT NULL DEFAULT 0,
    credits       bigint      NOT NULL DEFAULT 0,
    input_tokens  bigint      NOT NULL DEFAULT 0,
    output_tokens bigint      NOT NULL DEFAULT 0,
    cached_tokens bigint      NOT NULL DEFAULT 0,
    -- The sum of the turns' known provider costs, in nano-dollars, and the number of answered and failed turns without one.
    provider_cost bigint      NOT NULL DEFAULT 0,
    uncosted      bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, minutes, start, agent_id, export_id, model, source, status)
) WITH (fillfactor = 70);
COMMENT ON TABLE usage_rollups IS 'What an account used in a span of time, by what caused it. Charges come from the ledger, in the order of '
    'their numbers, by the time of the charge; failed turns and refused requests by the time at which they began.';

CREATE TABLE latency_rollups (
    account_id  uuid        NOT NULL,
    minutes     smallint    NOT NULL,
    start       timestamptz NOT NULL,
    agent_id    uuid        NOT NULL,
    export_id   uuid        NOT NULL,
    model       text        COLLATE "C" NOT NULL,
    source      text        COLLATE "C" NOT NULL,
    -- latency_bucket_1 of the times below.
    bucket      smallint    NOT NULL,
    durations   bigint      NOT NULL DEFAULT 0,
    first_texts bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, minutes, start, agent_id, export_id, model, source, bucket)
) WITH (fillfactor = 70);
COMMENT ON TABLE latency_rollups IS 'How long answered messages took: a histogram for each row of usage_rollups that has any.';

CREATE TABLE usage_cursors (
    account_id   uuid        PRIMARY KEY,
    last_entry   bigint      NOT NULL DEFAULT 0,
    -- The account's use of its allowance of listed requests (GCRA: the theoretical arrival time): see record_rejected.
    rejected_tat timestamptz NOT NULL DEFAULT 'epoch'
) WITH (fillfactor = 50);
COMMENT ON TABLE usage_cursors IS 'The number of an account''s last ledger entry in the usage. A statement that changes an '
    'account''s usage locks its row here first.';

CREATE TABLE rejected_requests (
    id             uuid        PRIMARY KEY,
    account_id     uuid        NOT NULL,
    agent_id       uuid        NOT NULL,
    export_id      uuid        NOT NULL,
    key_hint       text        NOT NULL,
    created_at     timestamptz NOT NULL,
    request_id     text        NOT NULL,
    status         integer     NOT NULL,
    -- The code and the message of the error; null for a stored reply.
    code           text        COLLATE "C",
    detail         text,
    client_address text        NOT NULL,
    session_id     text        COLLATE "C",
    user_id        text        COLLATE "C",
    streamed       boolean     NOT NULL,
    duration_ms    integer     NOT NULL,
    -- The turn whose stored reply was sent again.
    turn_id        uuid
);
COMMENT ON TABLE rejected_requests IS 'Requests that began no turn, under keys that are or were an account''s: rejected ones, and '
    'those answered with a stored reply, which have no code.';
CREATE INDEX rejected_requests_export ON rejected_requests (export_id, id) WHERE code IS NOT NULL;
CREATE INDEX rejected_requests_replayed ON rejected_requests (export_id, id) WHERE code IS NULL;
CREATE INDEX rejected_requests_code ON rejected_requests (export_id, code, id) WHERE code IS NOT NULL;
CREATE INDEX rejected_requests_request_id ON rejected_requests (hashtextextended(request_id, 0), account_id, id);
CREATE INDEX rejected_requests_session ON rejected_requests (account_id, session_id, id) WHERE session_id IS NOT NULL;
CREATE INDEX rejected_requests_user ON rejected_requests (account_id, user_id, id) WHERE user_id IS NOT NULL;

CREATE TABLE erasures (
    account_id uuid        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('user_id', 'session_id')),
    -- end_user_hash_1 of the id.
    id_hash    bytea       NOT NULL CHECK (length(id_hash) = 32),
    -- The null UUID for all agents.
    agent_id   uuid        NOT NULL,
    erased_at  timestamptz NOT NULL,
    PRIMARY KEY (account_id, kind, id_hash, agent_id)
);
COMMENT ON TABLE erasures IS 'The ids of end users and sessions that were erased in the last day, as keyed hashes: a request that arrived '
    'before and is recorded only now is recorded without them.';
CREATE INDEX erasures_erased ON erasures (erased_at);

CREATE TABLE readiness (
    id         boolean     PRIMARY KEY DEFAULT true CHECK (id),
    written_at timestamptz NOT NULL
);
COMMENT ON TABLE readiness IS 'What /readyz writes, to see that the database takes what a chat writes. One row, always updated on its page.';

CREATE TABLE replicas (
    number integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    -- Grows every few seconds while the replica runs.
    beats  bigint  NOT NULL DEFAULT 0
);
COMMENT ON TABLE replicas IS 'The processes of the service. When one stops beating, the others fail its pending turns.';
