import * as z from 'zod/mini'
import type { Settings } from '@/features/versions'
import { i18n } from '@/shared/i18n'
import { atMost, required } from '@/shared/ui'
import { type ActionValues, actionsInput, actionsOf, actionsSchema } from './actions/actionValues'
import { type Agent, maxInstructions } from './queries'
import { type VariableValues, variablesInput, variablesOf, variablesSchema } from './variableValues'

const maxName = 100
const maxDescription = 1_000
const maxTokens = 1_000_000
const maxTurns = 40

/** The fields of an agent's form. */
export type AgentValues = {
  name: string
  description: string
  instructions: string
  variables: VariableValues[]
  /** The model's name; empty for none. */
  model: string
  /** The name of the one that answers when it cannot; empty for none. */
  fallbackModel: string
  temperature: number | string
  maxOutputTokens: number | string
  contextTurns: number | string
  /** JSON text; empty for replies of text. */
  replySchema: string
  actions: ActionValues[]
}

const emptyOr = (fits: (value: number) => boolean, message: 'temperatureRange' | 'tokensRange' | 'turnsRange') =>
  z.refine<number | string>((value) => value === '' || (typeof value === 'number' && fits(value)), {
    error: () => i18n.t(message, { ns: 'agents' }),
  })

export const schema = z.object({
  name: z.string().check(z.trim(), required(), atMost(maxName)),
  description: z.string().check(atMost(maxDescription)),
  instructions: z.string().check(atMost(maxInstructions)),
  variables: variablesSchema,
  model: z.string(),
  fallbackModel: z.string(),
  temperature: z
    .union([z.number(), z.string()])
    .check(emptyOr((value) => value >= 0 && value <= 2, 'temperatureRange')),
  maxOutputTokens: z
    .union([z.number(), z.string()])
    .check(emptyOr((value) => Number.isInteger(value) && value >= 1 && value <= maxTokens, 'tokensRange')),
  contextTurns: z
    .union([z.number(), z.string()])
    .check(emptyOr((value) => Number.isInteger(value) && value >= 0 && value <= maxTurns, 'turnsRange')),
  replySchema: z.string(), // the service says what is wrong with it, and where
  actions: actionsSchema,
})

export const valuesOf = (agent: Agent): AgentValues => ({
  name: agent.name,
  description: agent.description,
  ...settingValues(agent),
})

/** The fields of a draft or a version that shape a reply. */
export const settingValues = (content: Settings) => ({
  instructions: content.instructions,
  variables: variablesOf(content),
  model: content.model?.name ?? content.modelName ?? '',
  fallbackModel: content.fallbackModel?.name ?? content.fallbackModelName ?? '',
  temperature: content.temperature ?? '',
  maxOutputTokens: content.maxOutputTokens ?? '',
  contextTurns: content.contextTurns,
  replySchema: content.replySchema ?? '',
  actions: actionsOf(content),
})

const cleared = (value: number | string | undefined) => (typeof value === 'number' ? value : null)

/** The changed fields as the service takes them. */
export function inputOf({
  temperature,
  maxOutputTokens,
  contextTurns,
  name,
  variables,
  model,
  fallbackModel,
  replySchema,
  actions,
  ...texts
}: Partial<AgentValues>) {
  return {
    ...texts,
    ...(name !== undefined && { name: name.trim() }),
    ...(variables !== undefined && { variables: variablesInput(variables) }),
    ...(model !== undefined && { model: model || null }),
    ...(fallbackModel !== undefined && { fallbackModel: fallbackModel || null }),
    ...(replySchema !== undefined && { replySchema: replySchema.trim() ? replySchema : null }),
    ...(actions !== undefined && { actions: actionsInput(actions) }),
    ...(temperature !== undefined && { temperature: cleared(temperature) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens: cleared(maxOutputTokens) }),
    ...(contextTurns !== undefined && { contextTurns: cleared(contextTurns) }),
  }
}
