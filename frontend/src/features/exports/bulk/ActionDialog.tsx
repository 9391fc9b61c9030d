import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { serverNow, toLocal } from '@/shared/time'
import { BulkDialog, CountField } from '@/shared/ui'
import type { Period } from '../periods'
import { type AgentExport, ResumeApiExportDocument, UpdateApiExportDocument } from '../queries'
import { MomentField } from '../settings/MomentField'
import { PauseDialog } from './PauseDialog'
import { type Action, useAction } from './useAction'

type Props = { rows: AgentExport[]; onClose: () => void }

/** Applies an action to several exports, after showing how many will change. */
export default function ActionDialog({ action, ...props }: Props & { action: Action }) {
  const Dialog = dialogs[action]
  return <Dialog {...props} />
}

const dialogs = { pause: PauseDialog, resume: Resume, expiry: Expiry, limit: Limit } satisfies Record<Action, unknown>

function Resume(props: Props) {
  const { t } = useTranslation('exports')
  return (
    <BulkDialog
      {...props}
      {...useAction('resume')}
      leftOut={({ state }) => (state === 'PAUSED' ? undefined : t('bulk.notPaused'))}
      change={({ id }) => gql(ResumeApiExportDocument, { input: { id } })}
    />
  )
}

function Expiry(props: Props) {
  const { t } = useTranslation('exports')
  const [time, setTime] = useState('')
  const [error, setError] = useState<string>()
  const expiresAt = time ? new Date(time).toISOString() : null
  return (
    <BulkDialog
      {...props}
      {...useAction('expiry')}
      leftOut={(row) => (toLocal(row.expiresAt) === time ? t('bulk.sameExpiry') : undefined)}
      change={({ id }) => gql(UpdateApiExportDocument, { input: { id, expiresAt } })}
      check={() => {
        const past = time !== '' && Date.parse(time) <= serverNow()
        setError(past ? t('bulk.expiry.past') : undefined)
        return !past
      }}
    >
      <MomentField
        label={t('expires')}
        description={t('expiresHelp')}
        value={time}
        error={error}
        onChange={(next) => {
          setTime(next)
          setError(undefined)
        }}
        data-autofocus
      />
    </BulkDialog>
  )
}

function Limit(props: Props) {
  const { t } = useTranslation('exports')
  const [period, setPeriod] = useState<Period>('day')
  const [typed, setTyped] = useState<number | string>('')
  const [error, setError] = useState<string>()
  const limit = typeof typed === 'number' ? typed : null
  const [name, used] =
    period === 'day'
      ? (['dailyCreditLimit', 'creditsUsedToday'] as const)
      : (['monthlyCreditLimit', 'creditsUsedThisMonth'] as const)
  const isSame = (row: AgentExport) => (row[name] ?? null) === limit
  const over = props.rows.filter((row) => limit !== null && !isSame(row) && row[used] >= limit).length
  return (
    <BulkDialog
      {...props}
      {...useAction('limit')}
      leftOut={(row) => (isSame(row) ? t('bulk.sameLimit') : undefined)}
      change={({ id }) => gql(UpdateApiExportDocument, { input: { id, [name]: limit } })}
      check={() => {
        const wrong = typed !== '' && !(Number.isSafeInteger(typed) && Number(typed) >= 1)
        setError(wrong ? t('limitRange') : undefined)
        return !wrong
      }}
    >
      <SegmentedControl
        aria-label={t('bulk.limit.period')}
        data={[
          { value: 'day', label: t('dailyLimit') },
          { value: 'month', label: t('monthlyLimit') },
        ]}
        value={period}
        onChange={setPeriod}
      />
      <CountField
        label={t(period === 'day' ? 'dailyLimit' : 'monthlyLimit')}
        description={over > 0 ? t('bulk.limit.over', { count: over }) : t('bulk.limit.help')}
        value={typed}
        error={error}
        onChange={(next) => {
          setTyped(next)
          setError(undefined)
        }}
        data-autofocus
      />
    </BulkDialog>
  )
}
