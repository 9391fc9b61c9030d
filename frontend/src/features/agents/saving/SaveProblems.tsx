import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isPassing } from '@/shared/gql'
import { FormError } from '@/shared/ui'
import { ClashDialog } from './ClashDialog'
import { LeaveGuard } from './LeaveGuard'
import classes from './SaveProblems.module.css'
import type { Values } from './saver'
import type { AgentEdit } from './useAgentEdit'

/** The errors and conflicts that keep an agent's form from being saved, with their remedies, and the question before unsaved changes are lost. */
export function SaveProblems<V extends Values>({ edit }: { edit: AgentEdit<V> }) {
  const { t } = useTranslation('agents')
  const { saver, error, clash, restored } = edit
  const [closed, setClosed] = useState(false)
  const [later, setLater] = useState<string>()
  const asking = clash && later !== clash.agent.updatedAt
  const failed = error !== undefined && !clash
  const failure = useRef<HTMLDivElement>(null)
  // The error covers the end of the window. What has the focus moves out from under it.
  useEffect(() => {
    if (failed) failure.current?.closest('form')?.querySelector(':focus')?.scrollIntoView({ block: 'nearest' })
  }, [failed])
  return (
    <>
      <LeaveGuard agentId={saver.view().base.agent.id} saver={saver} />
      {restored && !closed && (
        <Alert
          color="indigo"
          role="status"
          py="xs"
          withCloseButton
          closeButtonLabel={t('close', { ns: 'common' })}
          onClose={() => setClosed(true)}
        >
          {t('restored')}
        </Alert>
      )}
      {failed && (
        <div ref={failure} className={classes.failure}>
          <FormError error={error} />
          <Button variant="default" size="xs" className={classes.again} onClick={() => void saver.flush()}>
            {t('saving.again')}
          </Button>
          {(isPassing(error) || edit.isStored()) && (
            <Text size="xs" c="dimmed" mt={4}>
              {t(isPassing(error) ? 'saving.retried' : 'saving.kept')}
            </Text>
          )}
        </div>
      )}
      {clash && !asking && (
        <Alert color="yellow" role="status" py="xs">
          <Group gap="sm" justify="space-between">
            {t('saving.clashing')}
            <Button variant="default" size="xs" onClick={() => setLater(undefined)}>
              {t('saving.compare')}
            </Button>
          </Group>
        </Alert>
      )}
      {asking && (
        <ClashDialog
          clash={clash}
          onChoose={(choices) => void saver.resolve(choices)}
          onClose={() => setLater(clash.agent.updatedAt)}
        />
      )}
    </>
  )
}
