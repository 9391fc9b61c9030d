import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useServiceInfo } from '@/features/auth'
import { formatNumber } from '@/shared/format'
import { QueryView } from '@/shared/ui'
import { LowCreditsForm } from './LowCreditsForm'
import { notificationsQuery } from './queries'
import { Section, SettingsFrame } from './SettingsFrame'

/** Of what the owners of the account are told. Only they change it. */
export function NotificationsPage() {
  const { t } = useTranslation('settings')
  const query = useQuery(notificationsQuery)
  const mail = useServiceInfo().data?.mail
  return (
    <SettingsFrame title={t('notifications.title')}>
      <Section
        title={t('notifications.credits')}
        text={t(mail === false ? 'notifications.noMail' : 'notifications.text')}
      >
        <QueryView query={query}>
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
      </Section>
    </SettingsFrame>
  )
}
