import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonQuery } from '@/gql/graphql'
import { formatNumber, formatShare, successOf } from '@/shared/format'
import classes from '../People.module.css'
import { todayOf } from '../queries'
import { Today } from '../Today'

export type Person = NonNullable<NonNullable<PersonQuery['viewer']>['endUser']>
type Month = NonNullable<PersonQuery['viewer']>['month'][number]

/** What a user uses, in figures. */
export function Figures({ person, month }: { person: Person; month: Month | undefined }) {
  const { t } = useTranslation('people')
  const { messages = 0, failed = 0, credits = 0 } = month ?? {}
  const success = successOf({ messages, failed })
  const today = todayOf(person)
  return (
    <Paper>
      <div className={`${classes.figures} panel-numbers`}>
        <Figure name={t('thisMonth')} below={t('answeredCount', { count: messages, amount: formatNumber(messages) })}>
          {t('credits', { ns: 'common', count: credits, amount: formatNumber(credits) })}
        </Figure>
        <Figure
          name={t('answered')}
          below={failed > 0 && t('failedCount', { count: failed, amount: formatNumber(failed) })}
        >
          {success === null ? '–' : formatShare(success)}
        </Figure>
        <Figure name={t('today')} below={today.limit !== undefined && <Today used={today.used} limit={today.limit} />}>
          {t('messageCount', { count: today.used, amount: formatNumber(today.used) })}
        </Figure>
        {(person.messages !== messages || person.credits !== credits) && (
          <Figure
            name={t('allTime')}
            below={t('answeredCount', { count: person.messages, amount: formatNumber(person.messages) })}
          >
            {t('credits', { ns: 'common', count: person.credits, amount: formatNumber(person.credits) })}
          </Figure>
        )}
      </div>
    </Paper>
  )
}

function Figure({ name, children, below }: { name: string; children: ReactNode; below: ReactNode }) {
  return (
    <div className={classes.figure}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz="lg" fw={600}>
        {children}
      </Text>
      {below && (
        <Text size="sm" c="dimmed" component="div">
          {below}
        </Text>
      )}
    </div>
  )
}
