import { NumberInput, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import classes from './BuildForm.module.css'
import type { SectionProps } from './buildSection'

/** How the model answers: how freely, how long, and with how much of the conversation in mind. */
export function ModelOptions({ form }: Pick<SectionProps, 'form'>) {
  const { t } = useTranslation('agents')
  const field = (name: 'temperature' | 'maxOutputTokens' | 'contextTurns') => ({
    label: t(name),
    description: t(`${name}Help`),
    clampBehavior: 'none' as const,
    hideControls: true,
    ...form.getInputProps(name),
  })
  return (
    <details>
      <summary className="panel-summary">
        {t('modelOptions')} <Settings form={form} />
      </summary>
      <SimpleGrid cols={{ base: 1, sm: 3 }} verticalSpacing={{ base: 'md', sm: 0 }} mt="xs" className={classes.options}>
        <NumberInput key={form.key('temperature')} step={0.1} decimalScale={2} {...field('temperature')} />
        <NumberInput key={form.key('maxOutputTokens')} allowDecimal={false} {...field('maxOutputTokens')} />
        <NumberInput key={form.key('contextTurns')} allowDecimal={false} {...field('contextTurns')} />
      </SimpleGrid>
    </details>
  )
}

/** What was set. */
function Settings({ form: { values } }: Pick<SectionProps, 'form'>) {
  const { t } = useTranslation('agents')
  const { temperature, maxOutputTokens, contextTurns } = values
  const set = [
    temperature !== '' && t('replies.temperature', { value: temperature }),
    maxOutputTokens !== '' && t('replies.tokens', { value: formatNumber(Number(maxOutputTokens)) }),
    contextTurns !== '' && t('replies.turns', { count: Number(contextTurns) }),
  ]
  return <span className={classes.set}>{set.filter(Boolean).join(' · ')}</span>
}
