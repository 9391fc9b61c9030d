import type { TypedDocumentString } from '@/gql/graphql'
import { hearServerTime } from '@/shared/time/clock'
import { ApiError } from './errors'
import { asSignedIn } from './gql'
import { dataOf, headersOf, newRequestId, type Sender, type Whole } from './post'

/** The service waits a minute for a file. */
const usualTimeoutMs = 75_000

export type UploadOptions = {
  signal: AbortSignal
  /** Told how much of the request has left, 0 to 1. */
  onProgress?: (part: number) => void
  /** Timeout in milliseconds; default 75 s. */
  timeoutMs?: number
}

/**
 * Sends one operation with the file `input.file` as the signed-in account, by the GraphQL multipart request specification. A rejected
 * token is renewed once. Every failure is an ApiError, except the caller's own abort, which is rethrown.
 */
export function upload<Result, Input extends { file?: Blob | null }>(
  document: TypedDocumentString<Result, { input: Input }>,
  input: Input & { file: Blob },
  options: UploadOptions,
): Promise<Whole<Result>> {
  const query = document.toString()
  return asSignedIn((sender) => {
    const body = new FormData()
    body.append('operations', JSON.stringify({ query, variables: { input: { ...input, file: null } } }))
    body.append('map', JSON.stringify({ 0: ['variables.input.file'] }))
    body.append('0', input.file)
    return send<Result>(body, sender, options)
  })
}

/** Sends the body by XMLHttpRequest: fetch does not say how far it is. */
function send<Result>(
  body: FormData,
  sender: Sender,
  { signal, onProgress, timeoutMs = usualTimeoutMs }: UploadOptions,
): Promise<Whole<Result>> {
  const requestId = newRequestId()
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const fail = (code: 'NETWORK' | 'TIMEOUT') => () => reject(new ApiError(code, '', { requestId }))
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      hearServerTime(request.getResponseHeader('Date'))
      const id = request.getResponseHeader('X-Request-Id') ?? requestId
      try {
        resolve(dataOf<Result>(request.responseText, { status: request.status, requestId: id }))
      } catch (error) {
        reject(error)
      }
    }
    request.onerror = fail('NETWORK')
    request.ontimeout = fail('TIMEOUT')
    request.onabort = () => reject(signal.reason)
    request.open('POST', '/graphql')
    request.setRequestHeader('X-Request-Id', requestId)
    for (const [name, value] of Object.entries(headersOf(sender))) request.setRequestHeader(name, value)
    request.timeout = timeoutMs
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}
