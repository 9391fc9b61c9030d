import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { formatNumber } from '@/shared/format'
import { i18n } from '@/shared/i18n'
import { atMost, required } from '@/shared/ui'
import { ChangedElsewhere } from './ChangedElsewhere'
import { FormFoot } from './FormFoot'
import { type Agent, maxInstructions } from './queries'
import { useAgentEdit } from './useAgentEdit'

const maxName = 100
const maxDescription = 1_000
const maxTokens = 1_000_000
const maxTurns = 40

type Values = {
  name: string
  description: string
  instructions: string
  temperature: number | string
  maxOutputTokens: number | string
  contextTurns: number | string
}

const emptyOr = (fits: (value: number) => boolean, message: 'temperatureRange' | 'tokensRange' | 'turnsRange') =>
  z.refine<number | string>((value) => value === '' || (typeof value === 'number' && fits(value)), {
    error: () => i18n.t(message, { ns: 'agents' }),
  })

const schema = z.object({
  name: z.string().check(z.trim(), required(), atMost(maxName)),
  description: z.string().check(atMost(maxDescription)),
  instructions: z.string().check(atMost(maxInstructions)),
  temperature: z
    .union([z.number(), z.string()])
    .check(emptyOr((value) => value >= 0 && value <= 2, 'temperatureRange')),
  maxOutputTokens: z
    .union([z.number(), z.string()])
    .check(emptyOr((value) => Number.isInteger(value) && value >= 1 && value <= maxTokens, 'tokensRange')),
  contextTurns: z
    .union([z.number(), z.string()])
    .check(emptyOr((value) => Number.isInteger(value) && value >= 0 && value <= maxTurns, 'turnsRange')),
})

const valuesOf = ({ name, description, instructions, temperature, maxOutputTokens, contextTurns }: Agent): Values => ({
  name,
  description,
  instructions,
  temperature: temperature ?? '',
  maxOutputTokens: maxOutputTokens ?? '',
  contextTurns,
})

const cleared = (value: number | string | undefined) => (typeof value === 'number' ? value : null)

function inputOf({ temperature, maxOutputTokens, contextTurns, name, ...texts }: Partial<Values>) {
  return {
    ...texts,
    ...(name !== undefined && { name: name.trim() }),
    ...(temperature !== undefined && { temperature: cleared(temperature) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens: cleared(maxOutputTokens) }),
    ...(contextTurns !== undefined && { contextTurns: cleared(contextTurns) }),
  }
}

/** The agent's instructions and how it answers. */
export default function AgentForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const edit = useAgentEdit({ agent, form: 'agent', valuesOf, inputOf, schema })
  const { form } = edit
  const labels: Record<keyof Values, string> = {
    name: t('name'),
    description: t('descriptionLabel'),
    instructions: t('instructions'),
    temperature: t('temperature'),
    maxOutputTokens: t('maxOutputTokens'),
    contextTurns: t('contextTurns'),
  }
  return (
    <form onSubmit={edit.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label={labels.name} key={form.key('name')} {...form.getInputProps('name')} />
        <Textarea
          label={labels.description}
          description={t('descriptionHelp')}
          autosize
          minRows={2}
          maxRows={6}
          key={form.key('description')}
          {...form.getInputProps('description')}
        />
        <Textarea
          label={labels.instructions}
          description={t('instructionsHelp', {
            used: formatNumber([...form.values.instructions].length),
            most: formatNumber(maxInstructions),
          })}
          autosize
          minRows={14}
          maxRows={28}
          key={form.key('instructions')}
          {...form.getInputProps('instructions')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={labels.temperature}
            description={t('temperatureHelp')}
            step={0.1}
            decimalScale={2}
            clampBehavior="none"
            hideControls
            key={form.key('temperature')}
            {...form.getInputProps('temperature')}
          />
          <NumberInput
            label={labels.maxOutputTokens}
            description={t('maxOutputTokensHelp')}
            allowDecimal={false}
            clampBehavior="none"
            hideControls
            key={form.key('maxOutputTokens')}
            {...form.getInputProps('maxOutputTokens')}
          />
          <NumberInput
            label={labels.contextTurns}
            description={t('contextTurnsHelp')}
            allowDecimal={false}
            clampBehavior="none"
            hideControls
            key={form.key('contextTurns')}
            {...form.getInputProps('contextTurns')}
          />
        </SimpleGrid>
        <ChangedElsewhere edit={edit} labels={labels} />
        <FormFoot edit={edit} live={agent.state === 'COMPLETED'} />
      </Stack>
    </form>
  )
}
