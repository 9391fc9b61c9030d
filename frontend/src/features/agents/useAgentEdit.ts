import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { $ZodType } from 'zod/v4/core'
import type { UpdateAgentInput } from '@/gql/graphql'
import { gql, hasCode } from '@/shared/gql'
import { notifyDone, useApiForm } from '@/shared/ui'
import { dropDraft, keepDraft, takeDraft } from './drafts'
import { type Agent, agentQuery, UpdateAgentDocument } from './queries'

type Values = Record<string, unknown>

type Options<V extends Values> = {
  agent: Agent
  /** Identifies the form among those of an agent. */
  form: string
  valuesOf: (agent: Agent) => V
  /** The changed fields as the mutation's input. */
  inputOf: (changed: Partial<V>) => Omit<UpdateAgentInput, 'id' | 'expectedUpdatedAt'>
  schema?: $ZodType<unknown, V>
}

/** The fields in which `now` differs from `before`. */
export function changedFields<V extends Values>(before: V, now: V): Partial<V> {
  return Object.fromEntries(Object.entries(now).filter(([field, value]) => !same(value, before[field]))) as Partial<V>
}

/** The fields that were changed here and elsewhere, with the values from elsewhere. */
function conflicts<V extends Values>(before: V, mine: Partial<V>, theirs: V): Partial<V> {
  const elsewhere = Object.entries(changedFields(before, theirs))
  return Object.fromEntries(
    elsewhere.filter(([field, value]) => field in mine && !same(mine[field], value)),
  ) as Partial<V>
}

/** Compares lists by what is in them. */
const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

const isEmpty = (fields: object) => Object.keys(fields).length === 0

/**
 * Edits some fields of an agent. Only changed fields are sent, based on the version that was shown. If the same fields were
 * changed elsewhere in the meantime, `theirs` holds the other values, and nothing is saved until the owner has chosen.
 */
export function useAgentEdit<V extends Values>({ agent, form: formName, valuesOf, inputOf, schema }: Options<V>) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const { queryKey } = agentQuery(agent.id)
  const draftKey = `${agent.id} ${formName}`
  const [draft] = useState(() => takeDraft<V>(draftKey))
  // `previous` is the version that this form has replaced: the query may still show it for a moment.
  const [base, setBase] = useState<{ agent: Agent; previous?: string }>({ agent: draft?.base ?? agent })

  const save = async (mine: Partial<V>, on: Agent): Promise<Agent> => {
    const input = { id: agent.id, ...inputOf(mine), expectedUpdatedAt: on.updatedAt }
    try {
      return (await gql(UpdateAgentDocument, { input })).updateAgent.agent
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error
      const { agent: latest } = await queryClient.fetchQuery({ ...agentQuery(agent.id), staleTime: 0 })
      if (latest.updatedAt === on.updatedAt) throw error
      // Only other fields were changed elsewhere: they stay.
      if (isEmpty(conflicts(valuesOf(on), mine, valuesOf(latest)))) return save(mine, latest)
      throw new ChangedElsewhere()
    }
  }
  const api = useApiForm<V>({
    name: formName,
    initialValues: draft?.values ?? valuesOf(base.agent),
    schema,
    submit: async (sent) => {
      try {
        const saved = await save(changedFields(valuesOf(base.agent), sent), base.agent)
        // A pending fetch may still return the old draft.
        await queryClient.cancelQueries({ queryKey })
        setBase({ agent: saved, previous: agent.updatedAt })
        // What was typed meanwhile stays.
        api.form.setValues({ ...valuesOf(saved), ...changedFields(sent, api.form.getValues()) })
        queryClient.setQueryData(queryKey, { agent: saved })
        void queryClient.invalidateQueries({ queryKey: ['agents'] })
        void notifyDone(t(saved.state === 'LIVE' && saved.hasUnpublishedChanges ? 'savedLive' : 'saved'))
      } catch (error) {
        if (!(error instanceof ChangedElsewhere)) throw error
      }
    },
  })
  const { form } = api
  const mine = changedFields(valuesOf(base.agent), form.values)
  const dirty = !isEmpty(mine)
  const newer = agent.updatedAt !== base.agent.updatedAt && agent.updatedAt !== base.previous ? agent : undefined
  const theirs: Partial<V> = newer ? conflicts(valuesOf(base.agent), mine, valuesOf(newer)) : {}
  const conflict = !isEmpty(theirs)

  const rebase = (keepMine: boolean) => {
    if (!newer) return
    form.setValues({ ...valuesOf(newer), ...mine, ...(keepMine ? {} : theirs) })
    form.clearErrors()
    setBase({ agent: newer })
  }
  useEffect(() => {
    if (newer && !conflict && !api.pending) rebase(true)
  })
  useEffect(() => {
    if (dirty) keepDraft(draftKey, { base: base.agent, values: form.values })
    else dropDraft(draftKey)
  }, [dirty, draftKey, base, form.values])
  return {
    ...api,
    dirty,
    /** The conflicting changes from elsewhere that the owner has to decide on. */
    theirs: conflict ? theirs : undefined,
    keepMine: () => rebase(true),
    takeTheirs: () => rebase(false),
    discard: () => form.setValues(valuesOf(base.agent)),
    restored: draft !== undefined,
  }
}

class ChangedElsewhere extends Error {}
