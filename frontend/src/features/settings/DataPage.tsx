import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { DeleteAccount } from './DeleteAccount'
import { Section, SettingsFrame } from './SettingsFrame'

/** The page on which an owner deletes the account and its data. */
export function DataPage() {
  const { t } = useTranslation('settings')
  return (
    <SettingsFrame title={t('data')}>
      <Section title={t('deleteAccount')} text={t('deleteText')} danger>
        <May least="OWNER" otherwise={<Text>{t('ownersOnly')}</Text>}>
          <DeleteAccount />
        </May>
      </Section>
    </SettingsFrame>
  )
}
