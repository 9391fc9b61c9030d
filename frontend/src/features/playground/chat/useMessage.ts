import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { useFormDraft } from '@/features/agents'
import type { Entry } from '../messages/entries'

const schema = z.object({ message: z.string() })

export type Message = ReturnType<typeof useMessage>

/** The message that is being typed. It comes back after a reload, and so does one that the service may not have. */
export function useMessage(agentId: string, entries: Entry[]) {
  const draft = useFormDraft(agentId, 'try', schema, { message: '' })
  const [restored] = useState(() => (entries.at(-1)?.message === draft.values.message ? '' : draft.values.message))
  const [text, setText] = useState(restored)
  const unsent = text || unacceptedOf(entries)
  useEffect(() => draft.keep({ message: unsent }), [draft, unsent])
  return { text, setText, isRestored: text !== '' && text === restored }
}

/** The last message, if a reload would lose it: the service is not known to have it. */
function unacceptedOf(entries: Entry[]): string {
  const { message = '', outcome } = entries.at(-1) ?? {}
  return outcome && outcome.kind !== 'turn' ? message : ''
}
