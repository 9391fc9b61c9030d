import { vi } from 'vitest'

/** The file of an upload, as resolvers get it: tests have no multipart bodies. */
export type TestFile = { name: string; size: number }

/**
 * A browser that sends uploads to the test service: XMLHttpRequest of jsdom says nothing of its progress. Each waits until the test lets
 * it through, unless `atOnce`.
 */
export function stubUploads({ atOnce = true } = {}) {
  const requests: Request[] = []

  class Request {
    upload = { onprogress: (_: { loaded: number; total: number }) => {} }
    onload = () => {}
    onerror = () => {}
    ontimeout = () => {}
    onabort = () => {}
    timeout = 0
    status = 0
    responseText = ''
    aborted = false
    body = new FormData()
    readonly headers: Record<string, string> = {}

    open() {}
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value
    }
    getResponseHeader() {
      return null
    }
    send(body: FormData) {
      this.body = body
      requests.push(this)
      if (atOnce) void this.pass()
    }
    abort() {
      this.aborted = true
      this.onabort()
    }

    /** Lets so much of it leave, 0 to 1. */
    progress(part: number) {
      this.upload.onprogress({ loaded: part * 1_000, total: 1_000 })
    }
    /** Lets it reach the service. */
    async pass() {
      const { query, variables } = JSON.parse(String(this.body.get('operations')))
      const { name, size } = this.body.get('0') as File
      variables.input.file = { name, size } satisfies TestFile
      const headers = { ...this.headers, 'Content-Type': 'application/json' }
      const answer = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
      this.responseText = await answer.text()
      this.status = answer.status
      if (!this.aborted) this.onload()
    }
  }

  vi.stubGlobal('XMLHttpRequest', Request)
  return requests
}
