import { Fieldset, type NumberInputProps, Stack, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { CountField } from '@/shared/ui'
import { type ExportValues, maxMessages } from './exportForm'

type Props = {
  form: UseFormReturnType<ExportValues>
  /** What a message costs. */
  price: number
}

/** The fields of an export's limits. An empty one is no limit. */
export function LimitFields({ form, price }: Props) {
  const { t } = useTranslation('exports')
  const help = useId()
  const perUser = form.values.userDailyMessageLimit !== ''
  const number = (name: keyof ExportValues): NumberInputProps => form.getInputProps(name)
  const credits = (name: 'dailyCreditLimit' | 'monthlyCreditLimit'): NumberInputProps => {
    const limit = form.values[name]
    const tooLow = typeof limit === 'number' && limit >= 1 && limit < price
    return {
      ...number(name),
      description: tooLow && t('limitTooLow', { count: price, price: formatNumber(price) }),
      // Below the input, so that both fields stay on one line.
      inputWrapperOrder: ['label', 'input', 'description', 'error'],
    }
  }
  return (
    <Fieldset
      legend={
        <Text span size="md" fw={600}>
          {t('limits')}
        </Text>
      }
      variant="unstyled"
      mx={0}
      aria-describedby={help}
    >
      <Stack gap="sm">
        <Text size="xs" c="dimmed" id={help}>
          {t('limitsHelp')}
        </Text>
        <CountField label={t('dailyLimit')} key={form.key('dailyCreditLimit')} {...credits('dailyCreditLimit')} />
        <CountField label={t('monthlyLimit')} key={form.key('monthlyCreditLimit')} {...credits('monthlyCreditLimit')} />
        <CountField
          label={t('userLimit')}
          description={t('userLimitHelp')}
          max={maxMessages}
          key={form.key('userDailyMessageLimit')}
          {...number('userDailyMessageLimit')}
        />
        <Switch
          // Mantine would make the description part of the name.
          aria-label={t('requireUserId')}
          label={t('requireUserId')}
          description={perUser ? t('requireUserIdForced') : t('requireUserIdHelp')}
          key={form.key('requireUserId')}
          {...form.getInputProps('requireUserId', { type: 'checkbox' })}
          {...(perUser && { checked: true, disabled: true })}
        />
      </Stack>
    </Fieldset>
  )
}
