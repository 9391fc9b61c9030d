import { useTranslation } from 'react-i18next'
import { SecondFactor } from '@/features/secondFactor'
import { Events } from './Events'
import { PasswordForm } from './PasswordForm'
import { Section, SettingsFrame } from './SettingsFrame'
import { SignIns } from './SignIns'

/** The password, the second factor, where somebody is signed in, and what happened to them. */
export function SecurityPage() {
  const { t } = useTranslation('settings')
  return (
    <SettingsFrame title={t('security')}>
      <Section title={t('password')} text={t('passwordText')}>
        <PasswordForm />
      </Section>
      <Section title={t('secondFactor')} text={t('secondFactorText')}>
        <SecondFactor />
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
