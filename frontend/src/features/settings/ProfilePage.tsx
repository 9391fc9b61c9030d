import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { ThemeControl } from '@/features/shell'
import { QueryView } from '@/shared/ui'
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
          {({ me: { email }, viewer: { name } }) => (
            <Stack gap="sm">
              <dl className="panel-facts">
                <dt>{t('email')}</dt>
                <dd className="panel-user-text">{email}</dd>
              </dl>
              <NameForm name={name} />
            </Stack>
          )}
        </QueryView>
      </Section>
      <Section title={t('theme')} text={t('themeText')}>
        <ThemeControl />
      </Section>
    </SettingsFrame>
  )
}
