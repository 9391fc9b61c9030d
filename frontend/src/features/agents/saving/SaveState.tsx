import { Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSaving } from './openForms'
import classes from './SaveState.module.css'

/** Whether an agent's draft has what was typed, while it is edited. Only what needs the owner is read out. */
export function SaveState({ agentId }: { agentId: string }) {
  const { t } = useTranslation('agents')
  const state = useSaving(agentId)
  if (!state) return null
  const trouble = state === 'invalid' || state === 'failed' || state === 'clash'
  const Icon = trouble ? IconAlertTriangle : state === 'saved' ? IconCheck : undefined
  return (
    <Text
      span
      size="sm"
      c={trouble ? 'var(--warn)' : 'dimmed'}
      role={trouble ? 'status' : undefined}
      className={classes.state}
      data-testid="save-state"
    >
      {Icon && <Icon size={14} aria-hidden />}
      <span>{t(`saving.${state}`)}</span>
    </Text>
  )
}
