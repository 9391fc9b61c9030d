import { useTranslation } from 'react-i18next'
import { MayChange, useViewer } from '@/features/auth'
import { ThemeControl } from '@/features/shell'
import { QueryView } from '@/shared/ui'
import { Address } from './Address'
import { NameForm } from './NameForm'
import { Section, SettingsFrame } from './SettingsFrame'

/** Who the user is, and how the panel looks to them. */
export function ProfilePage() {
  const { t } = useTranslation('settings')
  const viewer = useViewer()
  return (
    <SettingsFrame title={t('profile')}>
      <Section title={t('account')}>
        <QueryView query={viewer}>
          {({ viewer: { name } }) => (
            <MayChange least="OWNER">
              <NameForm name={name} />
            </MayChange>
          )}
        </QueryView>
      </Section>
      <Section title={t('email')} text={t('address.text')}>
        <Address />
      </Section>
      <Section title={t('theme')} text={t('themeText')}>
        <ThemeControl />
      </Section>
    </SettingsFrame>
  )
}
