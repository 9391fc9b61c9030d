import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconMessagePlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Shows or hides the values that are sent with each message. */
export function ValuesButton({ id, shown, onToggle }: { id: string; shown: boolean; onToggle: () => void }) {
  const { t } = useTranslation('playground')
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
      aria-expanded={shown}
      aria-controls={shown ? id : undefined}
      onClick={onToggle}
    >
      {t('values')}
    </Button>
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
