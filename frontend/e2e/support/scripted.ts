import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ScriptedAnswer = { status: number; code?: string; retryAfter?: string; more?: object }
export type SeenRequest = { method?: string; path?: string; headers: IncomingHttpHeaders; body: string; at: number }

/**
 * A server that answers by a list, the last entry for ever. It shows what a client does with errors that the service gives
 * rarely; what the service itself does is tested on the service.
 */
export async function scripted(answers: ScriptedAnswer[]) {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { status, code, retryAfter, more } = answers[Math.min(seen.length, answers.length - 1)] as ScriptedAnswer
    seen.push({ method: request.method, path: request.url, headers: request.headers, body, at: Date.now() })
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'X-Request-Id': `scripted-${seen.length}`,
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
    })
    const error = {
      error: { code, message: 'As the script says.', details: {} },
      request_id: `scripted-${seen.length}`,
    }
    response.end(JSON.stringify(status === 200 ? { reply: 'As the script says.', session_id: 's', ...more } : error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
