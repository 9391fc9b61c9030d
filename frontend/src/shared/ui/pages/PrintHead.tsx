import '../theme/print.css'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime, serverNow } from '@/shared/time'
import { useBeforePrint } from './useBeforePrint'

/** On paper, what the page is about: the account, the period, and the time of printing. */
export function PrintHead({ account, period }: { account?: string; period?: string }) {
  const { t } = useTranslation()
  const [time, setTime] = useState(serverNow)
  useBeforePrint(() => setTime(serverNow()))
  return (
    <Text className="panel-print">
      {account && <span className="panel-user-text">{account}</span>}
      {account && ' · '}
      {period && `${period} · `}
      {t('printed', { time: formatDateTime(time) })}
    </Text>
  )
}
