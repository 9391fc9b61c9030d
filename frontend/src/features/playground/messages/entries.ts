import type { Call, CallState, Result } from '@/features/conversations'
import { type ApiError, hasCode } from '@/shared/gql'
import type { SentTurn } from '../queries'
import type { LiveText } from './liveText'

/** The progress of a message: `asked` until the first word arrives, then `coming`; `stopping` once it is stopped. */
export type Phase = 'asked' | 'coming' | 'stopping'

/**
 * The outcome of a message. `part` is the text received before it failed. `stopped`: the reader stopped it, and the service has
 * not accepted it (`absent`) or could not say.
 */
export type Outcome =
  | { kind: 'waiting'; since: number; phase: Phase; reply: LiveText }
  | { kind: 'turn'; turn: SentTurn; part?: string }
  | { kind: 'error'; error: ApiError; part?: string }
  | { kind: 'stopped'; absent: boolean; part?: string }

/** What goes with a message besides its text. */
export type Given = { variables?: { name: string; value: string }[]; userId?: string }

/** One message with its idempotency key, and what it was sent to. */
export type Entry = Given & {
  id: string
  /** Empty for results. */
  message: string
  /** The results of actions, sent instead of a message. */
  results?: readonly Result[]
  /** Without one, the draft. */
  version?: number
  /** Without one, the model of the draft or the version. */
  model?: string
  /** What it shares with the same message to the other side of a comparison. */
  pair?: string
  /** Empty if it is not known any more: such a message can only be sent as a new one. */
  idempotencyKey: string
  /** What arrived of the reply before a retry, shown until the retry has more. */
  kept?: string
  outcome: Outcome
}

/** The error codes that the panel has texts for, and whether a retry may succeed. */
const failures = {
  model_timeout: true,
  model_unavailable: true,
  model_error: true,
  invalid_output: true,
  internal: true,
  unavailable: true,
  content_blocked: false,
  stopped: true,
} as const

export type FailureCode = keyof typeof failures

/** The failure's key among the strings; `other` for codes that this panel does not know. */
export function failureName(code: string | null | undefined): FailureCode | 'other' {
  return code && Object.hasOwn(failures, code) ? (code as FailureCode) : 'other'
}

/** Whether the outcome is unknown: the message may have been answered and charged. */
export function isUnknown(outcome: Outcome): boolean {
  if (outcome.kind === 'stopped') return !outcome.absent
  if (outcome.kind === 'turn') return outcome.turn.state === 'PENDING'
  if (outcome.kind !== 'error') return false
  // An answer with a retry time is a refusal: the model is unavailable, and nothing was started.
  if (hasCode(outcome.error, 'UNAVAILABLE')) return outcome.error.retryAfterSeconds === undefined
  return hasCode(outcome.error, 'NETWORK', 'TIMEOUT', 'BAD_ANSWER', 'INTERNAL')
}

/** Whether it makes sense to send the same message again. */
export function mayRetry({ outcome, idempotencyKey }: Entry): boolean {
  if (idempotencyKey === '' && keepsKey(outcome)) return false

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
 * Whether a retry keeps the idempotency key. A failed turn is over: its retry is a new attempt with a new key. A message that
 * may be in progress or answered keeps its key, so that it is answered and charged once. So does a refused one, because an
 * earlier attempt of it may still be in progress.
 */
export function keepsKey(outcome: Outcome): boolean {
  return !(outcome.kind === 'turn' && outcome.turn.state === 'FAILED')
}

/** What an answered message asked to have run; nothing for every other one. */
export function callsOf({ outcome }: Entry): readonly Call[] {
  return outcome.kind === 'turn' && outcome.turn.state === 'ANSWERED' ? outcome.turn.actionCalls : []
}

/** The state of the actions of each reply, by entry. The next reply decides it; a failure does not. */
export function callStates(entries: readonly Entry[]): Map<string, CallState> {
  const states = new Map<string, CallState>()
  let next: Entry | undefined
  for (const entry of entries.toReversed()) {
    if (entry.outcome.kind !== 'turn' || entry.outcome.turn.state !== 'ANSWERED') continue
    if (callsOf(entry).length > 0) states.set(entry.id, next ? (next.results ? 'ANSWERED' : 'NOT_RUN') : 'OPEN')
    next = entry
  }
  return states
}
