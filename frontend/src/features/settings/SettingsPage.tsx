import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '@/features/auth'
import { ThemeControl } from '@/features/shell'
import { Page, QueryView } from '@/shared/ui'
import { PasswordForm } from './PasswordForm'
import { SignIns } from './SignIns'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  const viewer = useViewer()
  return (
    <Page title={t('title')} narrow>
      <Section title={t('account')}>
        <QueryView query={viewer}>
          {(data) => (
            <dl className="panel-facts">
              <dt>{t('name')}</dt>
              <dd className="panel-user-text">{data.viewer.name}</dd>
              <dt>{t('email')}</dt>
              <dd className="panel-user-text">{data.viewer.email}</dd>
            </dl>
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
    </Page>
  )
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Paper p="md" component="section">
      <Stack gap="sm" align="stretch">
        <div>
          <Title order={2}>{title}</Title>
          {text && <Text c="dimmed">{text}</Text>}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
