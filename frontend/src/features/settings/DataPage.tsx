import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { QueryView } from '@/shared/ui'
import { DeleteAccount } from './DeleteAccount'
import { rejectedRequestsQuery } from './queries'
import { Section, SettingsFrame } from './SettingsFrame'

/** What the operator keeps for how long, and where an owner deletes the account and its data. */
export function DataPage() {
  const { t } = useTranslation('settings')
  const query = useQuery(rejectedRequestsQuery)
  return (
    <SettingsFrame title={t('data')}>
      <QueryView query={query}>
        {({ viewer: { rejectedRequestDays: count } }) => (
          <Text c="dimmed">{[t('keep.rejected', { count }), t('keep.audit'), t('keep.set')].join(' · ')}</Text>
        )}
      </QueryView>
      <Section title={t('deleteAccount')} text={t('deleteText')} danger>
        <May least="OWNER" otherwise={<Text>{t('ownersOnly')}</Text>}>
          <DeleteAccount />
        </May>
      </Section>
    </SettingsFrame>
  )
}
