import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { saveDraft } from '@/features/agents'
import { refreshViewer } from '@/features/auth'
import { ApiError, newRequestId, toApiError } from '@/shared/gql'
import { subscribe } from '@/shared/gql/subscribe'
import { type Entry, type Given, isUnknown, keepsKey, type Outcome, type Phase } from '../messages/entries'
import { LiveText } from '../messages/liveText'
import { FollowDocument, sentTurnOf } from '../queries'
import { afterStop } from './afterStop'
import type { Kept } from './kept'

/** The same timeout as callers of the public API should use. */
const replyTimeoutMs = 100_000

export type Chat = ReturnType<typeof useChat>

/** A message, what it is sent to, and what goes with it. */
type Asked = Pick<Entry, 'message' | 'results' | 'version' | 'model' | 'pair'> & Given

type UnderWay = { entry: Entry; reply: LiveText; abort: AbortController; turnId?: string }

/**
 * A playground conversation: one that the service has kept, or a new one, which may continue from a turn. Messages are sent one at
 * a time.
 */
export function useChat(agentId: string, kept: Kept | undefined, continueFrom: string | undefined) {
  const queryClient = useQueryClient()
  const [entries, setEntries] = useState<Entry[]>(kept?.entries ?? [])
  const [sessionId, setSessionId] = useState(() => kept?.sessionId ?? newSessionId())
  const [conversationId, setConversationId] = useState(kept?.conversationId)
  const underWay = useRef<UnderWay>(undefined)
  /** Idempotency keys by turn ID, as far as known. */
  const keys = useRef(new Map<string, string>())

  // Leaving the page stops the reply.
  useEffect(() => () => underWay.current?.abort.abort(), [])

  // A message that was in flight when the user left the page may be settled by now.
  useEffect(() => {
    if (kept) setEntries((old) => (old.every(({ idempotencyKey }) => idempotencyKey === '') ? kept.entries : old))
  }, [kept])

  const settle = (id: string, outcome: Outcome) =>
    setEntries((old) =>
      old.map((entry) => (entry.id === id ? { ...entry, outcome: withPart(outcome, entry.kept) } : entry)),
    )

  const enter = ({ entry }: UnderWay, phase: Phase) =>
    setEntries((old) =>
      old.map((one) =>
        one.id === entry.id && one.outcome.kind === 'waiting' ? { ...one, outcome: { ...one.outcome, phase } } : one,
      ),
    )

  /** Reads the reply to its end, and returns the outcome. */
  const follow = async (mine: UnderWay): Promise<Outcome> => {
    const { entry, reply, abort } = mine
    const { message, results, version, model, variables, userId, idempotencyKey } = entry
    const sent = results
      ? { actionResults: results.map(({ callId, result, error }) => ({ id: callId, result, error })) }
      : { message, variables }
    const events = subscribe(
      FollowDocument,
      { input: { agentId, version, model, ...sent, userId, sessionId, continueFrom, idempotencyKey } },
      { signal: abort.signal, timeoutMs: replyTimeoutMs },
    )
    let outcome: Outcome | undefined
    for await (const { testMessage: event } of events) {
      switch (event.__typename) {
        case 'TestMessageStarted':
          mine.turnId = event.turnId
          keys.current.set(event.turnId, idempotencyKey)
          break
        case 'TestMessageDelta':
          if (reply.text === '') enter(mine, 'coming')
          reply.append(event.text)
          break
        case 'TestMessageAction': // the end has all of them
          break
        default:
          if (underWay.current === mine) setConversationId(event.conversation.id)
          outcome = { kind: 'turn', turn: sentTurnOf(event.turn), part: reply.text }
      }
    }
    if (!outcome) throw new ApiError('NETWORK', '', { requestId: '' })
    return outcome
  }

  /** The outcome of a stopped message, as the service reports it. */
  const stopped = async (mine: UnderWay): Promise<Outcome> => {
    const { message, results, idempotencyKey } = mine.entry
    const isOther = (id: string) => (keys.current.get(id) ?? idempotencyKey) !== idempotencyKey
    const found = await afterStop({
      agentId,
      sessionId,
      turnId: mine.turnId,
      text: message,
      resultId: results?.[0]?.callId,
      isOther,
    })
    const part = mine.reply.text
    if (typeof found !== 'object') return { kind: 'stopped', absent: found === 'absent', part }
    if (underWay.current === mine) setConversationId(found.conversationId)
    return { kind: 'turn', turn: found.turn, part }
  }

  const outcomeOf = async (mine: UnderWay): Promise<Outcome> => {
    try {
      return await follow(mine)
    } catch (thrown) {
      if (mine.abort.signal.aborted) return stopped(mine)
      return { kind: 'error', error: toApiError(thrown), part: mine.reply.text }
    }
  }

  const deliver = async (entry: Entry, reply: LiveText) => {
    const mine: UnderWay = { entry, reply, abort: new AbortController() }
    underWay.current = mine
    if (entry.version === undefined) await saveDraft(agentId)
    const outcome = await outcomeOf(mine)
    if (outcome.kind === 'turn') keys.current.set(outcome.turn.id, entry.idempotencyKey)
    if (underWay.current === mine) underWay.current = undefined
    settle(entry.id, outcome)
    void refreshViewer(queryClient)
  }

  const begin = (asked: Asked & Pick<Entry, 'idempotencyKey' | 'kept'>, others: (old: Entry[]) => Entry[]) => {
    if (underWay.current) return
    const reply = new LiveText()
    const outcome: Outcome = { kind: 'waiting', since: Date.now(), phase: 'asked', reply }
    const entry = { ...asked, id: newRequestId(), outcome }
    setEntries((old) => [...others(old), entry])
    void deliver(entry, reply)
  }

  /** Sends a message to a version, or to the draft. */
  const send = (asked: Asked) => begin({ ...asked, idempotencyKey: newRequestId() }, (old) => old)

  /** Sends a message again, to what it was sent to before and with the same values. It moves to the end of the conversation. */
  const retry = ({ id: failedId, outcome, idempotencyKey, ...asked }: Entry) =>
    begin(
      { ...asked, kept: partOf(outcome), idempotencyKey: keepsKey(outcome) ? idempotencyKey : newRequestId() },
      (old) => old.filter(({ id }) => id !== failedId),
    )

  const stop = () => {
    if (!underWay.current) return
    enter(underWay.current, 'stopping') // immediately: a pending token renewal does not end with the abort
    underWay.current.abort.abort()
  }

  const restart = () => {
    stop()
    underWay.current = undefined
    setEntries([])
    setSessionId(newSessionId())
    setConversationId(undefined)
  }

  const last = entries.at(-1)?.outcome
  const phase = last?.kind === 'waiting' ? last.phase : undefined
  /** Whether there is a conversation, or may be one: an outcome that is unknown may have begun it. */
  const begun =
    conversationId !== undefined || entries.some(({ outcome }) => outcome.kind === 'waiting' || isUnknown(outcome))
  return { entries, sessionId, conversationId, begun, phase, send, retry, stop, restart }
}

const partOf = (outcome: Outcome) => (outcome.kind === 'waiting' ? undefined : outcome.part)

/** A retry that brought no text leaves what the attempt before it had brought. */
function withPart(outcome: Outcome, kept: string | undefined): Outcome {
  return outcome.kind === 'waiting' || outcome.part || !kept ? outcome : { ...outcome, part: kept }
}

/** A short, readable session ID for a playground conversation. */
function newSessionId(): string {
  return `playground-${newRequestId().slice(-10)}`
}
