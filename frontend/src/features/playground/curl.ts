type Call = { origin: string; message: string; sessionId: string; idempotencyKey: string }

/** A message as a call of the public API, for a POSIX shell. The key is the reader's variable, never a key. */
export function curlOf({ origin, message, sessionId, idempotencyKey }: Call): string {
  const body = ascii(JSON.stringify({ message, session_id: sessionId }))
  return [
    `curl -i --max-time 100 ${quote(`${origin}/v1/agent/chat`)}`,
    '-H "Authorization: Bearer $AGENTCHAT_API_KEY"',
    `-H 'Content-Type: application/json'`,
    `-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ')
}

/** Nothing but a single quote means anything within single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Writes what cannot be seen, or turns the text around, as JSON's escapes: what is copied is what is shown. */
function ascii(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
