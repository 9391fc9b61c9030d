import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { ThemeControl } from '@/features/shell'
import { Page, QueryView } from '@/shared/ui'
import { DeleteAccount } from './DeleteAccount'
import { NameForm } from './NameForm'
import { PasswordForm } from './PasswordForm'
import { SignIns } from './SignIns'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  const viewer = useViewer()
  return (
    <Page title={t('title')} narrow>
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
      <Section title={t('password')} text={t('passwordText')}>
        <PasswordForm />
      </Section>
      <Section title={t('signIns')} text={t('signInsText')}>
        <SignIns />
      </Section>
      <Section title={t('theme')} text={t('themeText')}>
        <ThemeControl />
      </Section>
      <Section title={t('deleteAccount')} text={t('deleteText')} danger>
        <DeleteAccount />
      </Section>
    </Page>
  )
}

type SectionProps = { title: string; text?: string; danger?: boolean; children: ReactNode }

function Section({ title, text, danger = false, children }: SectionProps) {
  const red = danger ? 'var(--bad)' : undefined
  return (
    <Paper p="md" component="section" style={{ borderColor: red }}>
      <Stack gap="sm" align="stretch">
        <div>
          <Title order={2} c={red}>
            {title}
          </Title>
          {text && <Text c="dimmed">{text}</Text>}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
