import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { gql, hasCode } from '@/shared/gql'
import type { PlaygroundAgent } from './PlaygroundPage'
import { agentQuery, SaveInstructionsDocument } from './queries'

/** What the service takes, in Unicode code points. */
export const maxInstructions = 32_768

/** Changed instructions with the ones that the change is based on. */
type Draft = { text: string; base: string }

// Unsaved instructions by agent, for as long as the panel is open: a sign-in that runs out leads away from the page without
// asking, and the way back finds them here. An agent's id belongs to one account only.
const kept = new Map<string, Draft>()

/** Editing an agent's instructions: never over a change that was made elsewhere meanwhile. */
export function useInstructions(id: string, agent: PlaygroundAgent) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => kept.get(id))
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()

  const put = (next: Draft | undefined) => {
    if (next) kept.set(id, next)
    else kept.delete(id)
    setDraft(next)
  }

  const stored = agent.instructions
  const dirty = draft !== undefined && draft.text !== stored
  const text = draft?.text ?? stored
  const { queryKey } = agentQuery(id)

  const send = async (expectedUpdatedAt: string) => {
    const { updateAgent } = await gql(SaveInstructionsDocument, {
      input: { id, instructions: text, expectedUpdatedAt },
    })
    queryClient.setQueryData(queryKey, (old) => old && { agent: { ...old.agent, ...updateAgent.agent } })
    // Typing may have gone on meanwhile; that is not saved.
    const now = kept.get(id)
    put(now && now.text !== text ? { ...now, base: updateAgent.agent.instructions } : undefined)
    for (const key of ['agent', 'agents']) void queryClient.invalidateQueries({ queryKey: [key] })
  }

  /** Says whether it was saved. */
  const save = async (): Promise<boolean> => {
    setPending(true)
    setError(undefined)
    try {
      try {
        await send(agent.updatedAt)
      } catch (thrown) {
        if (!hasCode(thrown, 'CONFLICT')) throw thrown
        const { agent: now } = await queryClient.fetchQuery(agentQuery(id))
        // What was written meanwhile is shown beside what was typed. Where another property was changed, saving goes on.
        if (now.instructions !== draft?.base) return false
        await send(now.updatedAt)
      }
      return true
    } catch (thrown) {
      setError(thrown)
      return false
    } finally {
      setPending(false)
    }
  }

  const atField = hasCode(error, 'BAD_USER_INPUT') && error.fields.find(({ path }) => path.endsWith('instructions'))
  return {
    text,
    dirty,
    pending,
    tooLong: text.length > maxInstructions && Array.from(text).length > maxInstructions,
    /** What stands there now, when it is not what the change is based on. */
    overtaken: dirty && draft.base !== stored ? stored : undefined,
    fieldError: atField ? atField.message : undefined,
    error: atField ? undefined : error,
    clearError: () => setError(undefined),
    change: (next: string) => {
      setError(undefined)
      put(next === stored ? undefined : { text: next, base: dirty ? draft.base : stored })
    },
    keepMine: () => put({ text, base: stored }),
    takeTheirs: () => put(undefined),
    discard: () => put(undefined),
    /** Forgets the change without showing it: the page is being left. */
    forget: () => kept.delete(id),
    save,
  }
}
