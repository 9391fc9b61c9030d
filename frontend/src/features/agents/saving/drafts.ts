import { useState } from 'react'
import { type $ZodType, safeParse } from 'zod/v4/core'
import { draftKey, dropDraft, isStored, keepDraft, readDraft } from '@/shared/drafts'
import type { Values } from './saver'

export { dropAllDrafts } from '@/shared/drafts'

/** The values that a form began with, and the time of the agent's last change that they include. */
type Base<V> = { values: V; updatedAt?: string }

type Draft<V> = { base: Base<V>; values: V }

/** The values that a form of an agent begins with, and what keeps the ones typed now. */
export function openDraft<V extends Values>(agentId: string, form: string, schema: $ZodType<unknown, V>, now: Base<V>) {
  const key = draftKey(agentId, form)
  const kept = fitting(readDraft(key), schema, now)
  return {
    ...(kept ?? { base: now, values: now.values }),
    restored: kept !== undefined,
    keep: (draft: Draft<V>) => keepDraft(key, draft),
    drop: () => dropDraft(key),
    isStored: () => isStored(key),
  }
}

/** The draft of a form that is saved when its user says so. */
export function useFormDraft<V extends Values>(agentId: string, form: string, schema: $ZodType<unknown, V>, blank: V) {
  const [draft] = useState(() => {
    const { base, values, restored, keep, drop } = openDraft(agentId, form, schema, { values: blank })
    const isBase = (typed: V) => JSON.stringify(typed) === JSON.stringify(base.values)
    return {
      values,
      restored,
      isBase,
      drop,
      keep: (typed: V) => (isBase(typed) ? drop() : keep({ base, values: typed })),
    }
  })
  return draft
}

/** The form that replaces a source of knowledge. */
export const sourceForm = (sourceId: string) => `source-${sourceId}`

/** Reports whether a form of an agent has something to bring back. */
export const hasDraft = (agentId: string, form: string) => readDraft(draftKey(agentId, form)) !== undefined

/** The instructions that were typed into an agent's form and not saved. */
export function unsavedInstructions(agentId: string): string | undefined {
  const kept = readDraft(draftKey(agentId, 'agent')) as Draft<Values> | undefined
  const typed = kept?.values?.instructions
  return typeof typed === 'string' && typed !== kept?.base?.values?.instructions ? typed : undefined
}

/** What a value of another type fails with. Other issues are about values of the right type. */
const typeIssues = ['invalid_type', 'invalid_union', 'invalid_value']

/** What was kept, without fields of another type than the form's, as of an older build. */
function fitting<V extends Values>(kept: unknown, schema: $ZodType<unknown, V>, now: Base<V>): Draft<V> | undefined {
  const { base, values } = (kept ?? {}) as Partial<Draft<Partial<V>>>
  if (!values || !base?.values || typeof base.updatedAt !== typeof now.updatedAt) return undefined
  const issues = [values, base.values].flatMap((one) => safeParse(schema, one).error?.issues ?? [])
  const unfit = issues.filter(({ code }) => typeIssues.includes(code)).map(({ path }) => path[0])
  if (unfit.includes(undefined)) return undefined // not even an object
  const fitted = (one: Partial<V>) =>
    Object.fromEntries(
      Object.entries(now.values).map(([field, value]) => [field, unfit.includes(field) ? value : one[field]]),
    ) as V
  return { base: { ...base, values: fitted(base.values) }, values: fitted(values) }
}
