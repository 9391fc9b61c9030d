import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { formatNumber, isNearly } from '@/shared/format'
import { formatMinute, formatMoment, RelativeTime, useNow } from '@/shared/time'
import { AppLink } from '@/shared/ui'
import classes from '../page/Export.module.css'
import type { Export } from '../page/queries'
import { endOf, type Period, priceOf, reachedPeriod } from '../periods'
import { EditExport } from './EditExport'

/** What an export may use and has used, and its other settings, with the dialog that changes them. */
export function Limits({ row }: { row: Export }) {
  const { t } = useTranslation('exports')
  const may = useMay('EDITOR')
  const [editing, setEditing] = useState(false)
  return (
    <section aria-label={t('limitsTitle')}>
      <Group justify="space-between" gap="xs" mb="xs" mih={32}>
        <Title order={2}>{t('limitsTitle')}</Title>
        {may && (
          <Button variant="default" onClick={() => setEditing(true)} aria-label={t('editOf', { name: row.name })}>
            {t('edit')}
          </Button>
        )}
      </Group>
      <Paper p="md">
        <Settings row={row} />
      </Paper>
      {editing && <EditExport row={row} onClose={() => setEditing(false)} />}
    </section>
  )
}

function Settings({ row }: { row: Export }) {
  const { t } = useTranslation('exports')
  const published = row.agent.publishedVersion
  const reached = row.state === 'ACTIVE' ? reachedPeriod(row, priceOf(published, row.version)) : undefined
  const most = row.userDailyMessageLimit
  return (
    <Stack gap="md">
      {reached && (
        <Text size="sm" c="var(--bad)" role="status">
          {t(`reached.${reached}`)}
        </Text>
      )}
      <Bar period="month" used={row.creditsUsedThisMonth} limit={row.monthlyCreditLimit} />
      <Bar period="day" used={row.creditsUsedToday} limit={row.dailyCreditLimit} />
      <dl className={`panel-facts panel-numbers ${classes.settings}`}>
        <dt>{t('rate')}</dt>
        <dd>{t('perMinute', { count: row.rateLimitPerMinute, amount: formatNumber(row.rateLimitPerMinute) })}</dd>
        <dt>{t('endUsers')}</dt>
        <dd>
          {most != null
            ? t('perUser', { count: most, amount: formatNumber(most) })
            : t(row.requireUserId ? 'userIdNeeded' : 'noLimit')}
        </dd>
        <dt>{t('version')}</dt>
        <dd>
          {row.version == null ? (
            t(published ? 'followsNow' : 'follows', { number: published?.number })
          ) : (
            <AppLink to="/agents/$id/versions" params={{ id: row.agent.id }} search={{ open: row.version }} inherit>
              {t('pinned', { number: row.version })}
            </AppLink>
          )}
        </dd>
        <dt>{t(row.state === 'EXPIRED' ? 'expired' : 'expires')}</dt>
        <dd>
          {row.expiresAt ? (
            <time dateTime={row.expiresAt}>{formatMoment(row.expiresAt)}</time>
          ) : (
            t('time.never', { ns: 'common' })
          )}
        </dd>
      </dl>
    </Stack>
  )
}

type BarProps = { period: Period; used: number; limit: number | null | undefined }

/** The credits of a day or month against their limit, and when they start again. */
function Bar({ period, used, limit }: BarProps) {
  const { t } = useTranslation('exports')
  const end = endOf(period, useNow())
  const words = { used: formatNumber(used), limit: formatNumber(limit ?? 0), count: limit ?? used }
  const near = isNearly(used, limit)
  return (
    <div>
      <Text size="sm" className="panel-numbers" c={near ? 'var(--warn)' : undefined}>
        {t(limit == null ? `used.${period}` : `usedOf.${period}`, words)}
        {limit == null && (
          <Text span inherit c="dimmed">
            {' · '}
            {t('noLimit')}
          </Text>
        )}
      </Text>
      {limit != null && (
        <>
          <Progress
            value={Math.min((used / limit) * 100, 100)}
            color={used >= limit ? 'red' : near ? 'yellow' : undefined}
            size={4}
            my={4}
            aria-hidden
          />
          <Text size="xs" c="dimmed">
            {t('startsAgain')} <RelativeTime time={new Date(end).toISOString()} mayLieAhead /> · {formatMinute(end)}
          </Text>
        </>
      )}
    </div>
  )
}
