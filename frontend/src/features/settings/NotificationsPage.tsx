import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useServiceInfo } from '@/features/auth'
import { formatNumber, formatShare } from '@/shared/format'
import { FormShape, QueryView } from '@/shared/ui'
import { LowCreditsForm } from './LowCreditsForm'
import { notificationsQuery } from './queries'
import { Section, SettingsFrame } from './SettingsFrame'

/** The events that owners of the account are emailed about, always unless the service sends no email. */
const always = ['none', 'limit', 'key'] as const

/** The share of a credit limit at which the service notifies. */
const nearLimit = 0.9

/** The emails to the owners of the account. Only owners change the threshold for low credits. */
export function NotificationsPage() {
  const { t } = useTranslation('settings')
  const query = useQuery(notificationsQuery)
  const mail = useServiceInfo().data?.mail
  return (
    <SettingsFrame title={t('notifications.title')}>
      <Section
        title={t('notifications.table')}
        text={t(mail === false ? 'notifications.noMail' : 'notifications.text')}
      >
        <ul className="panel-list">
          <Row label={t('notifications.rows.low')}>
            <QueryView query={query} loading={<FormShape />}>
              {({ viewer: { viewerRole, lowCreditsAt } }) =>
                viewerRole === 'OWNER' ? (
                  <LowCreditsForm current={lowCreditsAt ?? undefined} />
                ) : (
                  <Text>
                    {lowCreditsAt == null
                      ? t('notifications.never')
                      : t('notifications.at', { count: lowCreditsAt, amount: formatNumber(lowCreditsAt) })}
                  </Text>
                )
              }
            </QueryView>
          </Row>
          {mail &&
            always.map((event) => (
              <Row key={event} label={t(`notifications.rows.${event}`, { share: formatShare(nearLimit) })}>
                <Text c="dimmed">{t('notifications.always')}</Text>
              </Row>
            ))}
        </ul>
      </Section>
    </SettingsFrame>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="sm" py="xs">
      <Text fw={500} style={{ flex: '1 1 220px' }}>
        {label}
      </Text>
      <div style={{ flex: '0 1 380px' }}>{children}</div>
    </Group>
  )
}
