-- +goose Up

-- When the conversation of a turn was deleted while the turn was pending. Settling it then stores no reply, and charges it only if
-- text had left the service. Null for every other turn.
ALTER TABLE turns ADD COLUMN deleted_at timestamptz;

-- Version 0.1.0, which may still serve beside this one, does not know the column and would store the reply of such a turn. To be
-- dropped one release later.
-- +goose StatementBegin
CREATE FUNCTION turns_drop_reply_1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.reply := NULL;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER turns_drop_reply BEFORE UPDATE ON turns FOR EACH ROW
    WHEN (NEW.deleted_at IS NOT NULL AND NEW.reply IS NOT NULL) EXECUTE FUNCTION turns_drop_reply_1();
