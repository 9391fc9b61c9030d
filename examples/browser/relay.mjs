// Node.js 20 or later, nothing to install. The key comes from $AGENTCHAT_API_KEY.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const url = 'http://127.0.0.1:8080/v1/agent/chat'
const page = readFileSync(new URL('page.html', import.meta.url))

// The relay identifies the visitor, never the page. Put your own sign-in here; this one gives each browser a cookie.
function visitorOf(request, response) {
  const known = /(?:^|; )visitor=([0-9a-f-]{36})(?:;|$)/.exec(request.headers.cookie ?? '')
  if (known) return known[1]
  const visitor = randomUUID()
  response.setHeader('Set-Cookie', `visitor=${visitor}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict`)
  return visitor
}

async function answer(request, response) {
  const visitor = visitorOf(request, response)
  if (request.method === 'GET' && request.url === '/') {
    return response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
  }
  if (request.method !== 'POST' || request.url !== '/chat') return response.writeHead(404).end()
  const key = request.headers['idempotency-key']
  if (!key) return response.writeHead(400).end()
  let body = ''
  for await (const part of request.setEncoding('utf8')) {
    if ((body += part).length > 100_000) return response.writeHead(413).end()
  }
  const { message } = JSON.parse(body)

  const gone = new AbortController()
  response.on('close', () => gone.abort()) // the page was closed, or the visitor pressed Stop
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${process.env.AGENTCHAT_API_KEY}`,
      'Content-Type': 'application/json',
      // The page's key for this message, prefixed with the visitor: no visitor can ask for another one's reply.
      'Idempotency-Key': `${visitor}.${key}`,
    },
    body: JSON.stringify({ message, session_id: visitor, user_id: visitor, stream: true }),
    signal: gone.signal,
  })
  const retry = reply.headers.get('Retry-After')
  response.writeHead(reply.status, {
    'Content-Type': reply.headers.get('Content-Type'),
    'Cache-Control': 'no-cache, no-transform', // proxies must not store or change a stream
    'X-Accel-Buffering': 'no', // nor buffer it
    ...(retry && { 'Retry-After': retry }),
  })
  await pipeline(Readable.fromWeb(reply.body), response)
}

createServer((request, response) =>
  answer(request, response).catch((error) => {
    if (response.headersSent) response.destroy() // the page sees that its stream was cut
    else response.writeHead(error instanceof SyntaxError ? 400 : 502).end()
  }),
).listen(process.env.PORT ?? 3000, '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port}`)
})
