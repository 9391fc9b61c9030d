-- +goose Up

-- How many bytes of text the model was given in all: instructions, earlier turns and message. Beside the tokens that it counted
-- for them this says what a byte costs in its tokens, for the choice of the next turn's context. Null where it is not known.
ALTER TABLE turns ADD COLUMN input_bytes bigint;
