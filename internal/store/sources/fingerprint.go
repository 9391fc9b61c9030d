package sources

// DraftFingerprint is the SQL expression of the fingerprint of the drafts of agents AS a: the SHA-256
// of the settings and of the READY sources, regardless of their order. A version keeps the
// fingerprint of its draft. White space counts, too, because it determines where a text is cut into
// passages. text_hash, which finds duplicates, ignores it.
const DraftFingerprint = ` sha256(convert_to(a.settings::text || (
	SELECT coalesce(string_agg(E'\n' || jsonb_build_array(s.kind, s.name, encode(s.text_hash, 'hex'), s.exact_hash)::text,
		'' ORDER BY s.kind, s.name COLLATE "C", s.text_hash), '')
	FROM knowledge_sources s WHERE s.agent_id = a.id AND upper_inf(s.versions)), 'UTF8')) `
