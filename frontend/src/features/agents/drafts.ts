import { session } from '@/shared/gql'
import type { Agent } from './queries'

/** Unsaved values, and the agent they are based on. */
export type Draft<Values> = { base: Agent; values: Values }

// In memory only: it survives the sign-in page after a session has expired, but not a reload.
const drafts = new Map<string, Draft<unknown>>()

session.subscribe((event) => {
  if (event === 'signed-out' || event === 'elsewhere') drafts.clear()
})

export const takeDraft = <Values>(key: string) => drafts.get(key) as Draft<Values> | undefined

export function keepDraft<Values>(key: string, draft: Draft<Values>) {
  drafts.set(key, draft)
}

export function dropDraft(key: string) {
  drafts.delete(key)
}

export function dropAllDrafts() {
  drafts.clear()
}
