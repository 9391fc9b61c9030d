import { type ApiError, hasCode } from '@/shared/gql'
import type { LiveText } from './liveText'
import type { SentTurn } from './queries'

/** How far a message under way is: `asked` until the first word has come, `coming` after it, `stopping` once it is stopped. */
export type Phase = 'asked' | 'coming' | 'stopping'

/**
 * What became of a message; `part` is the text that had come before it failed or was lost. `stopped`: its reader stopped it, and
 * the service either has not taken it in (`absent`) or could not be asked.
 */
export type Outcome =
  | { kind: 'waiting'; since: number; phase: Phase; reply: LiveText }
  | { kind: 'turn'; turn: SentTurn; part?: string }
  | { kind: 'error'; error: ApiError; part?: string }
  | { kind: 'stopped'; absent: boolean; part?: string }

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
  stopped: true,
} as const

export type FailureCode = keyof typeof failures

/** The failure's name among the strings; `other` for a code that came later than this panel. */
export function failureName(code: string | null | undefined): FailureCode | 'other' {
  return code && Object.hasOwn(failures, code) ? (code as FailureCode) : 'other'
}

/** Whether no answer told what became of the message: it may have been answered, and charged. */
export function isUnknown(outcome: Outcome): boolean {
  if (outcome.kind === 'stopped') return !outcome.absent
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
