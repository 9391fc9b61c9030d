import * as z from 'zod/mini'
import { i18n } from '@/shared/i18n'
import { atMost, differentNames, required } from '@/shared/ui'
import { filled } from '../formRows'
import type { Agent } from '../queries'
import { type ArgumentRow, argumentTypes, noArguments, rowsOf, schemaOf } from './argumentRows'

/** The most actions that an agent can have. */
export const maxActions = 16
const maxDescription = 1_000

/** An action in the form. */
export type ActionValues = {
  name: string
  description: string
  /** The schema of the arguments, verbatim. */
  parameters: string
  /** The arguments as rows of a table, if the table can show the whole schema. */
  rows?: ArgumentRow[]
}

export const newAction = (): ActionValues => ({ name: '', description: '', parameters: noArguments, rows: [] })

const name = z
  .string()
  .check(required(), z.regex(/^[a-z][a-z0-9_]{0,47}$/, { error: () => i18n.t('actions:nameRule') }))

const argument = z.object({
  name: z.string().check(required()),
  type: z.enum(argumentTypes),
  required: z.boolean(),
  description: z.string(),
})

const action = z.object({
  name,
  description: z.string().check(z.trim(), required(), atMost(maxDescription)),
  parameters: z.string(), // the service says what is wrong with it, and where
  rows: z.optional(z.array(argument).check(differentNames(() => i18n.t('actions:argumentTwice')))),
})

export const actionsSchema = z.array(action).check(differentNames(() => i18n.t('actions:twice')))

export const actionsOf = ({ actions }: Pick<Agent, 'actions'>): ActionValues[] =>
  actions.map(({ name, description, parameters }) => {
    const rows = rowsOf(parameters)
    return { name, description, parameters, ...(rows && { rows }) }
  })

/** Returns the actions in the API's form. */
export const actionsInput = (actions: ActionValues[]) =>
  filled(actions).map(({ rows, parameters, ...rest }) => ({
    ...rest,
    parameters: rows ? schemaOf(filled(rows), parameters) : parameters,
  }))
