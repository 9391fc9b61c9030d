// Node.js 20 or later, nothing to install.
const url = 'http://127.0.0.1:8080/v1/agent/chat'

async function stream(message, sessionId) {
  const idempotencyKey = crypto.randomUUID()
  const giveUp = Date.now() + 200_000 // 200 s
  for (let backoff = 1; Date.now() < giveUp; backoff = Math.min(2 * backoff, 8)) {
    const [last, data, seconds = backoff] = await send(message, sessionId, idempotencyKey)
    if (last === 'end') return JSON.parse(data)
    if (last !== 'again') throw new Error(data)
    console.log('\nagain:', data)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
  throw new Error('There was no reply within 200 seconds.')
}

// Prints a stream. Returns its last event, "refused" or "again", the data or the reason, and the
// seconds of Retry-After.
async function send(message, sessionId, idempotencyKey) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer ' + process.env.AGENTCHAT_API_KEY,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({ message, session_id: sessionId, stream: true }),
      signal: AbortSignal.timeout(100_000), // 100 s
    })
    if (!response.ok) {
      const problem = response.status + ': ' + (await response.text())
      const seconds = response.headers.get('Retry-After')
      return seconds ? ['again', problem, Number(seconds)] : ['refused', problem]
    }
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split('\n\n')
      rest = events.pop()
      for (const event of events) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
        if (name === 'delta') process.stdout.write(JSON.parse(data).text)
        if (name === 'error' && JSON.parse(data).error.code === 'unavailable') return ['again', data]
        if (name === 'end' || name === 'error') return [name, data]
      }
    }
    return ['again', 'the stream was cut']
  } catch (error) {
    return ['again', error.message]
  }
}

stream('Hello!', 'customer-42').then(() => console.log())
