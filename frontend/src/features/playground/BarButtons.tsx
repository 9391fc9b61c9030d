import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconMessagePlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Shows the values that go with each message, or hides them. */
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

/** Leaves the conversation for a new one. */
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
