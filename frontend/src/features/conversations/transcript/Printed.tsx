import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { formatMoment, formatSpan, useNow } from '@/shared/time'
import type { Conversation } from '../queries'
import classes from './Reader.module.css'

/** On paper only: the account, the period, and the time of printing. */
export function Printed({ conversation: { createdAt, lastTurnAt } }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const account = useViewer().data?.viewer.name
  const now = useNow()
  const span = formatSpan(Date.parse(createdAt), Date.parse(lastTurnAt ?? createdAt))
  return (
    <p className={classes.printed}>
      {account} · {span} · {t('printed', { time: formatMoment(now) })}
    </p>
  )
}
