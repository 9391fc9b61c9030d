import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import {
  type FocusEvent,
  type FormEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type $ZodType, safeParse } from 'zod/v4/core'
import type { UpdateAgentInput } from '@/gql/graphql'
import { gql, hasCode } from '@/shared/gql'
import { isInBlankRow } from '../formRows'
import { type Agent, agentOf, agentQuery, UpdateAgentDocument } from '../queries'
import { caretAfter } from './caret'
import { openDraft } from './drafts'
import { openForm } from './openForms'
import { Saver, type SaverView, type Values } from './saver'

type Options<V extends Values> = {
  agent: Agent
  /** Identifies the form among those of an agent. */
  form: string
  valuesOf: (agent: Agent) => V
  /** Fields as the mutation takes them. */
  inputOf: (fields: Partial<V>) => Omit<UpdateAgentInput, 'id' | 'expectedUpdatedAt'>
  schema: $ZodType<unknown, V>
}

export type AgentEdit<V extends Values> = SaverView<V> & {
  form: UseFormReturnType<V>
  saver: Saver<V>
  /** For the form element: saves at once. */
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  /** For the form element: shows what breaks the rules at the field that is left. */
  onBlur: (event: FocusEvent) => void
  /** Whether the form began with changes that were typed before and had not been saved. */
  restored: boolean
  /** Reports whether a reload would bring back what is not saved. */
  isStored: () => boolean
}

/** Edits some fields of an agent, and saves them by itself; see Saver. */
export function useAgentEdit<V extends Values>({
  agent,
  form: name,
  valuesOf,
  inputOf,
  schema,
}: Options<V>): AgentEdit<V> {
  const queryClient = useQueryClient()
  const [draft] = useState(() => {
    const { updatedAt } = agent
    return openDraft(agent.id, name, schema, { updatedAt, values: valuesOf(agent) })
  })
  const form = useForm<V>({ name, initialValues: draft.values })
  const live = useRef(form)
  live.current = form
  const caret = useCaret(form.values)
  const [saver] = useState(() => {
    const { queryKey } = agentQuery(agent.id)
    const { updatedAt = agent.updatedAt, values } = draft.base
    const base = { agent: { ...agent, updatedAt }, read: values, values }
    return new Saver<V>(base, {
      valuesOf,
      inputOf,
      read: () => live.current.getValues(),
      write: (values) => {
        caret()
        live.current.setValues(values)
      },
      invalid: (values) => issuesOf(schema, values).map(({ path }) => String(path[0])),
      show: (fields) => showErrors(live.current, schema, (path) => fields.includes(String(path[0]))),
      lead: () => leadToError(live.current, schema),
      refused: (error) => showRefused(live.current, error),
      send: async (input, on) => {
        const sent = { id: on.id, ...input, expectedUpdatedAt: on.updatedAt }
        const saved = agentOf((await gql(UpdateAgentDocument, { input: sent })).updateAgent.agent)
        // A pending fetch may still return the old draft.
        await queryClient.cancelQueries({ queryKey })
        queryClient.setQueryData(queryKey, { agent: saved })
        setErrorsOf(live.current, Object.keys(input), {})
        void queryClient.invalidateQueries({ queryKey: ['agents'] })
        return saved
      },
      latest: async () => (await queryClient.fetchQuery({ ...agentQuery(agent.id), staleTime: 0 })).agent,
    })
  })
  const view = useSyncExternalStore(saver.subscribe, saver.view)
  const { base, state } = view

  useEffect(() => saver.seen(agent), [saver, agent])
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each change
  useEffect(() => saver.edited(), [saver, form.values])
  useEffect(() => saver.marked(Object.keys(form.errors).length > 0), [saver, form.errors])
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when a save ends
  useEffect(() => {
    const { updatedAt } = base.agent
    if (saver.isSaved()) draft.drop()
    else draft.keep({ base: { updatedAt, values: base.values }, values: form.values })
  }, [saver, draft, base, form.values, state])
  useEffect(() => {
    saver.go()
    const close = openForm(agent.id, saver as unknown as Saver<Values>)
    return () => {
      close()
      saver.stop()
    }
  }, [saver, agent.id])
  useSaveKeys(saver)
  return {
    ...view,
    form,
    saver,
    onSubmit: (event) => {
      event?.preventDefault()
      void saver.flush()
    },
    onBlur: ({ target }) => {
      const left = (target as HTMLElement).dataset.path
      showErrors(form, schema, (path) => `${name}-${path.join('.')}` === left)
    },
    restored: draft.restored,
    isStored: draft.isStored,
  }
}

/** Ctrl S saves at once; so does the network that is back, or leaving the window. */
function useSaveKeys<V extends Values>(saver: Saver<V>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      void saver.flush()
    }
    const hurry = () => saver.hurry()
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('visibilitychange', hurry)
    window.addEventListener('online', hurry)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('visibilitychange', hurry)
      window.removeEventListener('online', hurry)
    }
  }, [saver])
}

/** Keeps the caret where it is while a text is put together with what came from elsewhere. */
function useCaret(values: unknown) {
  const kept = useRef<{ node: HTMLTextAreaElement; text: string; start: number; end: number }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the field has its new text
  useLayoutEffect(() => {
    if (!kept.current) return
    const { node, text, start, end } = kept.current
    kept.current = undefined
    if (node.value !== text)
      node.setSelectionRange(caretAfter(text, node.value, start), caretAfter(text, node.value, end))
  }, [values])
  return () => {
    const node = document.activeElement
    if (!(node instanceof HTMLTextAreaElement)) return
    kept.current = { node, text: node.value, start: node.selectionStart, end: node.selectionEnd }
  }
}

function showErrors<V extends Values>(
  form: UseFormReturnType<V>,
  schema: $ZodType<unknown, V>,
  wanted: (path: readonly PropertyKey[]) => boolean,
) {
  for (const { path, message } of issuesOf(schema, form.getValues())) {
    if (wanted(path)) form.setFieldError(path.join('.'), message)
  }
}

/** What of some values breaks the form's rules. */
function issuesOf<V extends Values>(schema: $ZodType<unknown, V>, values: V) {
  const issues = safeParse(schema, values).error?.issues ?? []
  return issues.filter(({ path }) => !isInBlankRow(values, path))
}

function leadToError<V extends Values>(form: UseFormReturnType<V>, schema: $ZodType<unknown, V>) {
  // An error that was set just now is not in the form before it is drawn.
  const broken = issuesOf(schema, form.getValues()).map(({ path }) => path.join('.'))
  const [field] = [...Object.keys(form.errors), ...broken]
  const node = field === undefined ? null : form.getInputNode(field)
  for (let fold = node?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true
  node?.focus()
}

/** Shows the errors of a BAD_USER_INPUT at their fields, if all of them belong to one. */
function showRefused<V extends Values>(form: UseFormReturnType<V>, error: unknown): string[] {
  if (!hasCode(error, 'BAD_USER_INPUT')) return []
  const roots = error.fields.map(({ path }) => path.split('.')[0] ?? '')
  const values = form.getValues()
  if (!roots.every((field) => field in values)) return []
  setErrorsOf(form, roots, Object.fromEntries(error.fields.map(({ path, message }) => [path, message])))
  return roots
}

/** Replaces the errors of some fields. */
function setErrorsOf<V extends Values>(form: UseFormReturnType<V>, fields: string[], errors: Record<string, string>) {
  form.setErrors((old) => {
    const others = Object.entries(old).filter(([path]) => !fields.includes(path.split('.')[0] ?? ''))
    return { ...Object.fromEntries(others), ...errors }
  })
}
