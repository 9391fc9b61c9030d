import { Group, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatShare, successOf } from '@/shared/format'
import { followSlowly } from '@/shared/gql'
import { formatDate, useNow } from '@/shared/time'
import { AppLink, ChartShape, QueryView, Sparkline } from '@/shared/ui'
import classes from './Export.module.css'
import { exportUseQuery } from './queries'

/** What an export used in the last 30 days. */
export function ExportUsage({ id }: { id: string }) {
  const { t } = useTranslation('exports')
  const query = useQuery({ ...exportUseQuery(id, useNow()), refetchInterval: followSlowly })
  return (
    <section aria-label={t('use30')}>
      <Group justify="space-between" gap="xs" mb="xs" mih={32}>
        <Title order={2}>{t('use30')}</Title>
        <AppLink to="/usage" search={{ export: id }} fz="sm">
          {t('usage')}
        </AppLink>
      </Group>
      <Paper p="md">
        <QueryView query={query} loading={<ChartShape height={120} />}>
          {({ viewer: { total, days } }) => (
            <>
              <Sums id={id} {...(total[0] ?? { messages: 0, failed: 0, refused: 0, credits: 0 })} />
              <Sparkline now={days.map(({ credits }) => credits)} height={64} />
              <div className={classes.ends}>
                <span>{days[0]?.start && formatDate(days[0].start)}</span>
                <span>{t('today')}</span>
              </div>
            </>
          )}
        </QueryView>
      </Paper>
    </section>
  )
}

type SumsProps = { id: string; messages: number; failed: number; refused: number; credits: number }

function Sums({ id, messages, failed, refused, credits }: SumsProps) {
  const { t } = useTranslation('exports')
  const success = successOf({ messages, failed })
  const parts = [
    t('messages', { count: messages, amount: formatNumber(messages) }),
    success !== null && t('answered', { share: formatShare(success) }),
  ]
  return (
    <div className={`${classes.line} panel-numbers`} style={{ marginBottom: 12 }}>
      <Text fz="lg" fw={600}>
        {t('credits', { ns: 'common', count: credits, amount: formatNumber(credits) })}
      </Text>
      <Text size="sm" c="dimmed">
        {parts.filter(Boolean).join(' · ')}
      </Text>
      {refused > 0 && (
        <AppLink to="/activity/requests" search={{ exportId: id, outcome: 'REFUSED' }} fz="sm">
          {t('refused', { count: refused, amount: formatNumber(refused) })}
        </AppLink>
      )}
    </div>
  )
}
