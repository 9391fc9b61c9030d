import { ActionIcon, Title, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconMaximize, IconMinimize } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { AgentMark, AppLink } from '@/shared/ui'
import classes from './Playground.module.css'
import { alone } from './useView'

/** The heading of Try in the whole window, after the link back. The link is disabled while it would stop a message in flight. */
export function FullWindowTitle({ agent, busy, children }: { agent: Agent; busy?: boolean; children: ReactNode }) {
  const { t } = useTranslation('playground')
  return (
    <>
      <AppLink
        to="/agents/$id"
        params={{ id: agent.id }}
        search={(old) => alone(old)}
        disabled={busy}
        size="sm"
        className={classes.back}
      >
        <IconChevronLeft size={16} aria-hidden />
        {t('build')}
      </AppLink>
      <AgentMark name={agent.name} />
      <Title order={1} size="h3" className={`${classes.wholeTitle} panel-user-text`}>
        {children}
      </Title>
    </>
  )
}

/** Shows Try in the whole window, or next to Build again. */
export function FullWindowButton({
  whole,
  onClick,
  disabled,
}: {
  whole: boolean
  onClick: () => void
  disabled?: boolean
}) {
  const { t } = useTranslation('playground')
  const action = whole ? t('beside') : t('whole')
  const Icon = whole ? IconMinimize : IconMaximize
  return (
    <Tooltip label={t('withKey', { action, key: whole ? 'Esc' : 'F' })}>
      <ActionIcon
        variant="default"
        size={28}
        aria-label={action}
        aria-keyshortcuts={whole ? 'Escape' : 'F'}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
