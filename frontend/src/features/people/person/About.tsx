import { Paper, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { formatMoment } from '@/shared/time'
import { AppLink, ShortId } from '@/shared/ui'
import type { Person } from './Figures'

/** When a person was seen, and where more of them is. */
export function About({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const { userId } = person
  return (
    <section aria-label={t('about')}>
      <Title order={2} mb="xs">
        {t('about')}
      </Title>
      <Paper p="md">
        <dl className="panel-facts panel-numbers" style={{ margin: 0 }}>
          <dt>{t('userId')}</dt>
          <dd>
            <ShortId id={userId} copy={t('copyId')} />
          </dd>
          <dt>{t('firstSeen')}</dt>
          <dd>{formatMoment(person.firstSeenAt)}</dd>
          <dt>{t('lastActive')}</dt>
          <dd>{formatMoment(person.lastSeenAt)}</dd>
          <dt>{t('conversations')}</dt>
          <dd>
            <AppLink to="/activity/conversations" search={{ userId, time: 'all' }} inherit>
              {formatNumber(person.conversations)}
            </AppLink>
          </dd>
          <dt>{t('requests')}</dt>
          <dd>
            <AppLink to="/activity/requests" search={{ userId, time: 'all' }} inherit>
              {t('requestsOf')}
            </AppLink>
          </dd>
        </dl>
      </Paper>
      <Text size="xs" c="dimmed" mt="xs">
        {t('aboutHelp')}
      </Text>
    </section>
  )
}
