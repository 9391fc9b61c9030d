import { NumberInput, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import type { AgentValues } from './agentValues'

/** What was set of the limits. */
export function Limits({ values }: { values: AgentValues }) {
  const { t } = useTranslation('agents')
  const { temperature, maxOutputTokens, contextTurns } = values
  const set = [
    temperature !== '' && t('limits.temperature', { value: temperature }),
    maxOutputTokens !== '' && t('limits.tokens', { value: formatNumber(Number(maxOutputTokens)) }),
    contextTurns !== '' && t('limits.turns', { count: Number(contextTurns) }),
  ]
  return set.filter(Boolean).join(' · ')
}

/** How the model answers: how freely, how long, and with how much of the conversation in mind. */
export function AnswerFields({ form }: { form: UseFormReturnType<AgentValues> }) {
  const { t } = useTranslation('agents')
  const field = (name: 'temperature' | 'maxOutputTokens' | 'contextTurns') => ({
    label: t(name),
    description: t(`${name}Help`),
    clampBehavior: 'none' as const,
    hideControls: true,
    ...form.getInputProps(name),
  })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput key={form.key('temperature')} step={0.1} decimalScale={2} {...field('temperature')} />
      <NumberInput key={form.key('maxOutputTokens')} allowDecimal={false} {...field('maxOutputTokens')} />
      <NumberInput key={form.key('contextTurns')} allowDecimal={false} {...field('contextTurns')} />
    </SimpleGrid>
  )
}
