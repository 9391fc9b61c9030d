import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { QueryView } from '@/shared/ui'
import { DeleteAccount } from './DeleteAccount'
import { DownloadAccount } from './DownloadAccount'
import { keptDataQuery } from './queries'
import { RetentionForm } from './RetentionForm'
import { Section, SettingsFrame } from './SettingsFrame'

/** How long data is kept, and where owners change that, download everything, or delete the account. */
export function DataPage() {
  const { t } = useTranslation('settings')
  const query = useQuery(keptDataQuery)
  return (
    <SettingsFrame title={t('data')}>
      <QueryView query={query}>
        {({ viewer: { rejectedRequestDays: count, retentionDays, serviceRetentionDays } }) => (
          <>
            <Text c="dimmed">{[t('keep.rejected', { count }), t('keep.audit'), t('keep.set')].join(' · ')}</Text>
            <May least="OWNER" otherwise={<Text>{t('ownersOnly')}</Text>}>
              <Section title={t('retention.title')} text={t('retention.text')}>
                <RetentionForm current={retentionDays ?? undefined} service={serviceRetentionDays ?? undefined} />
              </Section>
            </May>
          </>
        )}
      </QueryView>
      <May least="OWNER">
        <Section title={t('download.title')} text={t('download.text')}>
          <DownloadAccount />
        </Section>
        <Section title={t('deleteAccount')} text={t('deleteText')} danger>
          <DeleteAccount />
        </Section>
      </May>
    </SettingsFrame>
  )
}
