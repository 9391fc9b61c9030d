import { Alert, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '@/shared/ui'
import { unsavedInstructions } from './drafts'

/** Offers the unsaved instructions of a deleted agent, if it has any. */
export function GoneWithDraft({ agentId }: { agentId: string }) {
  const { t } = useTranslation('agents')
  const unsaved = unsavedInstructions(agentId)
  if (unsaved === undefined) return null
  return (
    <Alert color="yellow" role="status" mb="md" py="xs">
      <Group gap="sm" justify="space-between">
        {t('goneWithDraft')}
        <CopyButton value={unsaved} label={t('copyUnsaved')} size="xs" />
      </Group>
    </Alert>
  )
}
