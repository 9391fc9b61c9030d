import { type ApiError, hasCode } from '@/shared/gql'
import type { SentTurn } from './queries'

/** What became of a message. `stopped`: the reader waits no more; the service goes on with it. */
export type Outcome =
  | { kind: 'waiting'; since: number }
  | { kind: 'turn'; turn: SentTurn }
  | { kind: 'error'; error: ApiError }
  | { kind: 'stopped' }

/** One message with the key that makes sending it again safe. */
export type Entry = { id: string; message: string; idempotencyKey: string; outcome: Outcome }

/** The error codes of a failed turn that the panel has words for, and whether the same message may well be answered later. */
const failures = {
  model_timeout: true,
  model_unavailable: true,
  model_error: true,
  internal: true,
  unavailable: true,
  content_blocked: false,
} as const

export type FailureCode = keyof typeof failures

/** The failure's name among the strings; `other` for a code that came later than this panel. */
export function failureName(code: string | null | undefined): FailureCode | 'other' {
  return code && Object.hasOwn(failures, code) ? (code as FailureCode) : 'other'
}

/** Whether no answer told what became of the message: it may have been answered, and charged. */
export function isUnknown(outcome: Outcome): boolean {
  if (outcome.kind === 'stopped') return true
  if (outcome.kind === 'turn') return outcome.turn.state === 'PENDING'
  if (outcome.kind !== 'error') return false
  // An answer that says when to come again is a refusal: the model is away, and nothing was begun.
  if (hasCode(outcome.error, 'UNAVAILABLE')) return outcome.error.retryAfterSeconds === undefined
  return hasCode(outcome.error, 'NETWORK', 'TIMEOUT', 'BAD_ANSWER', 'INTERNAL')
}

/** Whether sending the message again makes sense without changing anything of it. */
export function mayRetry(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'waiting':
      return false
    case 'stopped':
      return true
    case 'turn': {
      if (outcome.turn.state === 'PENDING') return true
      if (outcome.turn.state === 'ANSWERED') return false
      const name = failureName(outcome.turn.errorCode)
      return name === 'other' || failures[name]
    }
    case 'error':
      return (
        isUnknown(outcome) ||
        hasCode(outcome.error, 'CONFLICT', 'RATE_LIMITED', 'INSUFFICIENT_CREDITS', 'UNAUTHENTICATED', 'UNAVAILABLE')
      )
  }
}

/**
 * Whether a retry keeps the key. A failed turn is over: its retry is a new attempt under a new key. A message that may
 * be under way or answered keeps its key, so that it is answered and charged once; so does one that was refused, because an
 * earlier attempt of it may be what is under way.
 */
export function keepsKey(outcome: Outcome): boolean {
  return !(outcome.kind === 'turn' && outcome.turn.state === 'FAILED')
}
