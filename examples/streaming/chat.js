// Node.js 20 or later, nothing to install.
const url = 'http://127.0.0.1:8080/v1/agent/chat'

async function stream(message, sessionId) {
  const idempotencyKey = crypto.randomUUID()
  for (let attempt = 0; attempt < 4; attempt++) {
    const [last, data] = await send(message, sessionId, idempotencyKey)
    if (last === 'end') return JSON.parse(data)
    if (last !== 'cut') throw new Error(data)
    console.log('\ncut:', data)
    await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 1000))
  }
  throw new Error('The stream was cut each time.')
}

// Prints a stream. Returns its last event, "refused" or "cut", with the data or the reason.
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
    if (!response.ok) return ['refused', response.status + ': ' + (await response.text())]
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split('\n\n')
      rest = events.pop()
      for (const event of events) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
        if (name === 'delta') process.stdout.write(JSON.parse(data).text)
        if (name === 'end' || name === 'error') return [name, data]
      }
    }
    return ['cut', 'it ended early']
  } catch (error) {
    return ['cut', error.message]
  }
}

stream('Hello!', 'customer-42').then(() => console.log())
