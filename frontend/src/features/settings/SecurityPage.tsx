import { useTranslation } from 'react-i18next'
import { PasswordForm } from './PasswordForm'
import { Section, SettingsFrame } from './SettingsFrame'
import { SignIns } from './SignIns'

/** The password, and where somebody is signed in. */
export function SecurityPage() {
  const { t } = useTranslation('settings')
  return (
    <SettingsFrame title={t('security')}>
      <Section title={t('password')} text={t('passwordText')}>
        <PasswordForm />
      </Section>
      <Section title={t('signIns')} text={t('signInsText')}>
        <SignIns />
      </Section>
    </SettingsFrame>
  )
}
