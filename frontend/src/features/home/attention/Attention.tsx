import { Text, Title } from '@mantine/core'
import { IconAlertOctagon, IconAlertTriangle, IconChevronRight, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutlook } from '@/features/credits'
import { followMs } from '@/shared/gql'
import { useNow } from '@/shared/time'
import { QueryView, RowLink, TableShape } from '@/shared/ui'
import classes from '../Home.module.css'
import { attentionQuery } from '../queries'
import type { LastHourRow } from '../usage'
import { type Concern, concernsOf } from './attention'
import { useWords } from './useWords'

const mostShown = 8

/** What the owner should look at, worst first; one calm line when there is nothing and the banner has no warning either. */
export function Attention({ lastHour }: { lastHour: readonly LastHourRow[] }) {
  const { t } = useTranslation('home')
  const query = useQuery({ ...attentionQuery, refetchInterval: followMs })
  const outlook = useOutlook()
  const lacksCredits = outlook && outlook.state !== 'enough'
  const now = useNow()
  return (
    <QueryView query={query} loading={<TableShape head={0} rows={1} columns={2} />}>
      {(data) => {
        const concerns = concernsOf(data, lastHour, now)
        if (concerns.length === 0) return lacksCredits ? null : <Text c="dimmed">{t('allWell')}</Text>
        const more = concerns.length - mostShown
        return (
          <section aria-labelledby="attention">
            <Title order={2} id="attention" mb="xs">
              {t('attention')} <span className={classes.count}>{concerns.length}</span>
            </Title>
            <ul className={`panel-box panel-list ${classes.list}`}>
              {concerns.slice(0, mostShown).map((concern) => (
                <Row key={keyOf(concern)} concern={concern} />
              ))}
              {more > 0 && <li className={classes.more}>{t('more', { count: more })}</li>}
            </ul>
          </section>
        )
      }}
    </QueryView>
  )
}

const keyOf = (concern: Concern) => `${concern.kind} ${'agent' in concern ? concern.agent.id : concern.export.id}`

const icons: Record<'bad' | 'warn' | 'info', ReactNode> = {
  bad: <IconAlertOctagon size={16} color="var(--bad)" aria-hidden />,
  warn: <IconAlertTriangle size={16} color="var(--warn)" aria-hidden />,
  info: <IconPencil size={16} color="var(--accent-text)" aria-hidden />,
}

function Row({ concern }: { concern: Concern }) {
  const { tone, link, name, text, fact, action } = useWords(concern)
  return (
    <li className={`panel-row ${classes.concern}`}>
      {icons[tone]}
      <div className={classes.what}>
        <RowLink {...link} inherit fw={400}>
          {name && (
            <>
              <b className="panel-user-text">{name}</b>{' '}
            </>
          )}
          {text}
        </RowLink>
        {fact && <span className={`${classes.fact} panel-user-text`}>{fact}</span>}
      </div>
      <span className={classes.action} aria-hidden>
        {action}
      </span>
      <IconChevronRight size={16} aria-hidden />
    </li>
  )
}
