import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { NavItemLink, Page, SubPages } from '@/shared/ui'
import classes from './SettingsFrame.module.css'

/** One page of the settings, with links to the others. */
export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation('settings')
  const look = {
    activeOptions: { exact: true, includeSearch: false },
    activeProps: { active: true, 'aria-current': 'page' },
  } as const
  const links = (
    <>
      <LinkGroup label={t('groups.you')}>
        <NavItemLink to="/settings" label={t('profile')} {...look} />
        <NavItemLink to="/settings/security" label={t('security')} {...look} />
      </LinkGroup>
      <LinkGroup label={t('groups.account')}>
        <NavItemLink to="/settings/general" label={t('general')} {...look} />
        <NavItemLink to="/settings/members" label={t('members')} {...look} />
        <May least="OWNER">
          <NavItemLink to="/settings/tokens" label={t('tokens')} {...look} />
        </May>
        <NavItemLink to="/settings/notifications" label={t('notifications.title')} {...look} />
        <May least="EDITOR">
          <NavItemLink to="/settings/webhooks" label={t('webhooks')} {...look} />
        </May>
        <May least="OWNER">
          <NavItemLink to="/settings/audit" label={t('audit')} {...look} />
          <NavItemLink to="/settings/data" label={t('data')} {...look} />
        </May>
      </LinkGroup>
    </>
  )
  return (
    <Page title={t('title')} tabTitle={`${title} · ${t('title')}`}>
      <SubPages label={t('pages')} links={links}>
        {children}
      </SubPages>
    </Page>
  )
}

function LinkGroup({ label, children }: { label: string; children: ReactNode }) {
  const labelId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-labelledby={labelId} className={classes.group}>
      <span id={labelId}>{label}</span>
      {children}
    </div>
  )
}

type SectionProps = { title: string; text?: string; danger?: boolean; children: ReactNode }

export function Section({ title, text, danger = false, children }: SectionProps) {
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
