import { useTranslation } from 'react-i18next'
import { DeleteAccount } from './DeleteAccount'
import { Section, SettingsFrame } from './SettingsFrame'

/** What becomes of the account's data. */
export function DataPage() {
  const { t } = useTranslation('settings')
  return (
    <SettingsFrame title={t('data')}>
      <Section title={t('deleteAccount')} text={t('deleteText')} danger>
        <DeleteAccount />
      </Section>
    </SettingsFrame>
  )
}
