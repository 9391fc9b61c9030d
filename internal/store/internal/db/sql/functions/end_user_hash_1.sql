-- end_user_hash: the hash by which an end user is counted, and by which the erased id of one, or of a session, is known for a while. The
-- key was made in this database, for this alone: erasing an end user leaves no id behind, and resets no limit.
CREATE FUNCTION end_user_hash_1(user_id text) RETURNS bytea LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT sha256(k.key || convert_to(user_id, 'UTF8')) FROM end_users_key k);
END
$$;
