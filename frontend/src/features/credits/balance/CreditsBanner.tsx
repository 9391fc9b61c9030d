import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { AddCredits } from './AddCredits'
import { useLasts } from './useLasts'
import { useOutlook } from './useOutlook'

/** Warns when credits run low: how long they last and, unless the page says so elsewhere, what to do. Empty while there are enough. */
export function CreditsBanner({ help: helps = true }: { help?: boolean }) {
  const { t } = useTranslation('credits')
  const outlook = useOutlook()
  const lasts = useLasts(outlook)
  if (outlook === undefined || outlook.state === 'enough') return null
  const none = outlook.state === 'none'
  return (
    <Alert
      color={none ? 'red' : 'yellow'}
      role="status"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(none ? 'noneTitle' : 'lowTitle')}
    >
      <Text size="md">
        {none ? t('noneText') : t('lowText', { count: outlook.available, amount: formatNumber(outlook.available) })}
      </Text>
      {lasts && <Text size="md">{lasts}.</Text>}
      {helps && <AddCredits />}
    </Alert>
  )
}
