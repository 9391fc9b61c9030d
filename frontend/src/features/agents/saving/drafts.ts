import { session } from '@/shared/gql'
import type { Base } from './saver'

/** Unsaved values, and what they are based on. */
export type Draft<V> = { base: Base<V>; values: V }

// In memory only: it survives the sign-in page after a session has expired, but not a reload.
const drafts = new Map<string, Draft<unknown>>()

session.subscribe((event) => {
  if (event === 'signed-out' || event === 'elsewhere') drafts.clear()
})

export const takeDraft = <V>(key: string) => drafts.get(key) as Draft<V> | undefined

export function keepDraft<V>(key: string, draft: Draft<V>) {
  drafts.set(key, draft)
}

export function dropDraft(key: string) {
  drafts.delete(key)
}

export function dropAllDrafts() {
  drafts.clear()
}
