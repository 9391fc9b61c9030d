import { Alert, Button, Group, Text, Textarea, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { FormError } from '@/shared/ui'
import { LeaveDialog } from './LeaveDialog'
import classes from './Playground.module.css'
import type { PlaygroundAgent } from './PlaygroundPage'
import { maxInstructions, useInstructions } from './useInstructions'

/** What the agent is told, to be read and changed beside the conversation. */
export function InstructionsPanel({ agent }: { agent: PlaygroundAgent }) {
  const { t } = useTranslation('playground')
  const editor = useInstructions(agent.id, agent)
  const { text, dirty, overtaken, tooLong, pending, error } = editor
  const live = agent.state === 'COMPLETED'
  const [saved, setSaved] = useState(false)
  return (
    <>
      <div>
        <Title order={2} id="instructions-title">
          {t('instructions')}
        </Title>
        <Text c="dimmed">{live ? t('instructionsLive') : t('instructionsDraft')}</Text>
      </div>
      <Textarea
        aria-labelledby="instructions-title"
        classNames={{ root: classes.editor, wrapper: classes.editorWrapper }}
        styles={{ input: { overflowWrap: 'anywhere' } }}
        placeholder={t('instructionsPlaceholder')}
        value={text}
        error={editor.fieldError ?? (tooLong && t('tooLong', { limit: formatNumber(maxInstructions) }))}
        onChange={(event) => {
          setSaved(false)
          editor.change(event.currentTarget.value)
        }}
      />
      {overtaken !== undefined && (
        <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('overtaken')}>
          <Text size="sm">{t('overtakenText')}</Text>
          <Text
            size="sm"
            my={8}
            p={8}
            mah={160}
            tabIndex={0}
            role="region"
            aria-label={t('overtakenVersion')}
            className="panel-user-text"
            bg="var(--mantine-color-body)"
            style={{ overflow: 'auto', whiteSpace: 'pre-wrap', borderRadius: 8, contain: 'paint' }}
          >
            {overtaken || t('overtakenEmpty')}
          </Text>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={editor.takeTheirs}>
              {t('takeTheirs')}
            </Button>
            <Button size="xs" variant="default" onClick={editor.keepMine}>
              {t('keepMine')}
            </Button>
          </Group>
        </Alert>
      )}
      <FormError error={error} onClose={editor.clearError} />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {dirty ? t('unsaved') : saved ? (live ? t('savedLive') : t('saved')) : ''}
        </Text>
        <Group gap="xs">
          {dirty && (
            <Button variant="default" onClick={editor.discard} disabled={pending}>
              {t('discard')}
            </Button>
          )}
          <Button
            onClick={async () => setSaved(await editor.save())}
            disabled={!dirty || tooLong || overtaken !== undefined}
            loading={pending}
          >
            {t('saveInstructions')}
          </Button>
        </Group>
      </Group>
      <LeaveDialog dirty={dirty} onLeave={editor.forget} />
    </>
  )
}
