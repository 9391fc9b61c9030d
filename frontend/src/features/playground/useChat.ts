import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refreshViewer } from '@/features/auth'
import { gql, newRequestId, toApiError } from '@/shared/gql'
import { type Entry, keepsKey, type Outcome } from './entries'
import { SendDocument } from './queries'

/** The wait for the conversation and the model's time: as long as callers of the public API are told to wait. */
const replyTimeoutMs = 100_000

export type Chat = ReturnType<typeof useChat>

/** A conversation of the playground, kept as long as the page stands. One message at a time is under way. */
export function useChat(agentId: string) {
  const queryClient = useQueryClient()
  const [entries, setEntries] = useState<Entry[]>([])
  const [sessionId, setSessionId] = useState(newSessionId)
  const [conversationId, setConversationId] = useState<string>()
  const underWay = useRef<{ id: string; abort: AbortController }>(undefined)

  const settle = (id: string, outcome: Outcome) =>
    setEntries((old) => old.map((entry) => (entry.id === id ? { ...entry, outcome } : entry)))

  const deliver = async (entry: Entry) => {
    const abort = new AbortController()
    const mine = { id: entry.id, abort }
    underWay.current = mine
    try {
      const { message, idempotencyKey } = entry
      const { sendTestMessage } = await gql(
        SendDocument,
        { input: { agentId, message, sessionId, idempotencyKey } },
        { signal: abort.signal, timeoutMs: replyTimeoutMs },
      )
      settle(entry.id, { kind: 'turn', turn: sendTestMessage.turn })
      if (!abort.signal.aborted) setConversationId(sendTestMessage.conversation.id)
    } catch (thrown) {
      settle(entry.id, abort.signal.aborted ? { kind: 'stopped' } : { kind: 'error', error: toApiError(thrown) })
    } finally {
      if (underWay.current === mine) underWay.current = undefined
      void refreshViewer(queryClient)
    }
  }

  const begin = (message: string, idempotencyKey: string): Entry => ({
    id: newRequestId(),
    message,
    idempotencyKey,
    outcome: { kind: 'waiting', since: Date.now() },
  })

  const send = (message: string) => {
    if (underWay.current) return
    const entry = begin(message, newRequestId())
    setEntries((old) => [...old, entry])
    void deliver(entry)
  }

  /** Sends a message again; it moves to the end, where its answer belongs. */
  const retry = (failed: Entry) => {
    if (underWay.current) return
    const entry = begin(failed.message, keepsKey(failed.outcome) ? failed.idempotencyKey : newRequestId())
    setEntries((old) => [...old.filter(({ id }) => id !== failed.id), entry])
    void deliver(entry)
  }

  /** Waits no more. The service goes on with the message; a retry gets its reply. */
  const stop = () => underWay.current?.abort.abort()

  const restart = () => {
    stop()
    underWay.current = undefined
    setEntries([])
    setSessionId(newSessionId())
    setConversationId(undefined)
  }

  const waiting = entries.some(({ outcome }) => outcome.kind === 'waiting')
  return { entries, sessionId, conversationId, waiting, send, retry, stop, restart }
}

/** A label that tells a conversation of the playground from others, and is short enough to be read. */
function newSessionId(): string {
  return `playground-${newRequestId().slice(-10)}`
}
