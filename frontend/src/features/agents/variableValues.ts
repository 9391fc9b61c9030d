import * as z from 'zod/mini'
import { namePattern } from '@/features/versions'
import { i18n } from '@/shared/i18n'
import { atMost, differentNames, isTooLong, required } from '@/shared/ui'
import { filled } from './formRows'
import type { Agent } from './queries'

/** The most variables that an agent can have. */
export const maxVariables = 32
const maxDescription = 500
const maxDefault = 4_000

/** A variable in its row of the form. */
export type VariableValues = { name: string; description: string; required: boolean; defaultValue: string }

export const newVariable = (name = ''): VariableValues => ({
  name,
  description: '',
  required: false,
  defaultValue: '',
})

const names = z.string().check(required(), z.regex(namePattern, { error: () => i18n.t('variables:nameHelp') }))

/** The form rule for the default value, which a required variable does not show. */
const defaultFits = z.refine<VariableValues>((row) => row.required || !isTooLong(row.defaultValue, maxDefault), {
  path: ['defaultValue'],
  error: () => i18n.t('form.tooLong', { count: maxDefault }),
})

const row = z.object({
  name: names,
  description: z.string().check(atMost(maxDescription)),
  required: z.boolean(),
  defaultValue: z.string(),
})

export const variablesSchema = z.array(row.check(defaultFits)).check(differentNames(() => i18n.t('variables:twice')))

export const variablesOf = ({ variables }: Pick<Agent, 'variables'>): VariableValues[] =>
  variables.map(({ name, description, required: needed, defaultValue }) => ({
    name,
    description,
    required: needed,
    defaultValue: defaultValue ?? '',
  }))

/** Returns the variables in the API's form: a required one has no default value. */
export const variablesInput = (variables: VariableValues[]) =>
  filled(variables).map(({ defaultValue, ...rest }) => ({
    ...rest,
    defaultValue: rest.required || defaultValue === '' ? null : defaultValue,
  }))
