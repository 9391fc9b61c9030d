import { useTranslation } from 'react-i18next'
import { Events } from './Events'
import { PasswordForm } from './PasswordForm'
import { Section, SettingsFrame } from './SettingsFrame'
import { SignIns } from './SignIns'

/** The password, where somebody is signed in, and what happened to both. */
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
      <Section title={t('events')} text={t('eventsText')}>
        <Events />
      </Section>
    </SettingsFrame>
  )
}
