import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconMessagePlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './Playground.module.css'

type Props = { id: string; shown: boolean; count: number; onToggle: () => void }

/** Shows or hides the values that are sent with each message, and says how many are set. A narrow pane has no room for the words. */
export function ValuesButton({ id, shown, count, onToggle }: Props) {
  const { t } = useTranslation('playground')
  const label = t('valuesCount', { count })
  return (
    <Tooltip label={label}>
      <Button
        size="xs"
        variant="default"
        aria-label={label}
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={onToggle}
      >
        <IconAdjustmentsHorizontal size={16} aria-hidden />
        <span className={classes.words}>{label}</span>
      </Button>
    </Tooltip>
  )
}

/** Starts a new conversation. */
export function RestartButton({ onClick, disabled }: { onClick: () => void; disabled: boolean }) {
  const { t } = useTranslation('playground')
  return (
    <Tooltip label={t('newConversation')}>
      <ActionIcon variant="default" size={28} aria-label={t('newConversation')} onClick={onClick} disabled={disabled}>
        <IconMessagePlus size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
