import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useVariableText } from '@/features/versions'
import { formatNumber } from '@/shared/format'
import { type AgentValues, inputOf, schema, valuesOf } from './agentValues'
import { ChangedElsewhere } from './ChangedElsewhere'
import { FormFoot } from './FormFoot'
import { type Agent, maxInstructions } from './queries'
import { useAgentEdit } from './useAgentEdit'
import { VariablesEditor } from './VariablesEditor'

/** The agent's instructions and how it answers. */
export default function AgentForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const edit = useAgentEdit({ agent, form: 'agent', valuesOf, inputOf, schema })
  const textOf = useVariableText()
  const { form } = edit
  const { variables, ...others } = edit.theirs ?? {}
  const theirs = edit.theirs && { ...others, ...(variables && { variables: variables.map(textOf).join('\n') }) }
  const labels: Record<keyof AgentValues, string> = {
    name: t('name'),
    description: t('descriptionLabel'),
    instructions: t('instructions'),
    variables: t('variables'),
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
        <VariablesEditor form={form} />
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
        <FormFoot edit={edit} live={agent.state === 'COMPLETED'}>
          <ChangedElsewhere edit={{ ...edit, theirs }} labels={labels} />
        </FormFoot>
      </Stack>
    </form>
  )
}
