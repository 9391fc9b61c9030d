import { useSyncExternalStore } from 'react'
import type { Saver, SavingState, Values } from './saver'

// The forms of agents that are open, by the agent's ID: what acts on a draft lets its form save first.
const forms = new Map<string, Pick<Saver<Values>, 'flush' | 'view' | 'subscribe'>>()
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

/** Makes a form known while it is open. Returns what ends that. */
export function openForm(agentId: string, saver: Pick<Saver<Values>, 'flush' | 'view' | 'subscribe'>): () => void {
  forms.set(agentId, saver)
  const unsubscribe = saver.subscribe(tell)
  tell()
  return () => {
    unsubscribe()
    if (forms.get(agentId) === saver) forms.delete(agentId)
    tell()
  }
}

/** Saves what was typed into an agent's draft, if its form is open. Resolves with whether the draft has everything. */
export async function saveDraft(agentId: string): Promise<boolean> {
  return (await forms.get(agentId)?.flush()) ?? true
}

/** How the saving of an agent's draft stands; undefined where it is not edited. */
export function useSaving(agentId: string): SavingState | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => forms.get(agentId)?.view().state,
  )
}
