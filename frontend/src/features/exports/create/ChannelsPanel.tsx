import { Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconApi } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May, useMay } from '@/features/auth'
import { CallAgent, needsUser } from '@/features/developers'
import { AppLink, KeyReveal, useChosen } from '@/shared/ui'
import { BulkActions } from '../bulk/BulkActions'
import { ExportsTable } from '../list/ExportsTable'
import type { ExportedAgent } from '../queries'
import { CreateDialog } from './CreateDialog'
import { useCreateExport } from './useCreateExport'

/** Where an agent's exports are made and found, and how software calls the agent. */
export function ChannelsPanel({ agent }: { agent: ExportedAgent }) {
  const { t } = useTranslation('exports')
  const heading = useRef<HTMLHeadingElement>(null)
  const creation = useCreateExport()
  const [asking, setAsking] = useState(false)
  const [awaited, setAwaited] = useState<string>()
  const { shown } = creation
  if (shown && shown.id !== awaited) setAwaited(shown.id)
  const { id, name, state, model, publishedVersion: published, exports } = agent
  const live = state === 'LIVE'
  const note = live ? (model?.sandbox ? t('sandboxNote') : undefined) : t('draftNote')
  // The pressed button disappears; the focus stays in this part of the page.
  const saved = () => {
    creation.forget()
    heading.current?.focus()
  }
  return (
    <Stack gap="lg">
      <Stack gap="xs" component="section" aria-label={t('web')}>
        <Title order={2}>{t('web')}</Title>
        <Paper px="md" py="xs" mih={56}>
          <Group gap="sm" wrap="nowrap">
            <ThemeIcon variant="light" aria-hidden>
              <IconApi size={18} />
            </ThemeIcon>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Title order={3} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
                {t('api')}
              </Title>
              <Text size="sm" c="dimmed" visibleFrom="sm">
                {t('apiText')}
              </Text>
            </div>
            {!shown && (
              <May least="EDITOR">
                <Button
                  disabled={!live}
                  onClick={() => setAsking(true)}
                  aria-describedby={note ? 'create-export-note' : undefined}
                >
                  {t('create')}
                </Button>
              </May>
            )}
          </Group>
        </Paper>
        {note && (
          <Text size="sm" id="create-export-note" c={live ? 'dimmed' : 'var(--warn)'}>
            {note}
          </Text>
        )}
        {shown && <KeyReveal {...shown} onSaved={saved} />}
        {asking && !shown && <CreateDialog agentId={id} creation={creation} onClose={() => setAsking(false)} />}
      </Stack>
      <ExportList agent={agent} />
      <CallAgent
        agentName={name}
        awaited={awaited}
        variables={published?.variables ?? []}
        actions={published?.actions}
        replySchema={published?.replySchema}
        withUserId={needsUser(exports)}
      />
    </Stack>
  )
}

/** The exports that are in use, each a row that leads to its page. */
function ExportList({ agent: { id, publishedVersion = null, exports } }: { agent: ExportedAgent }) {
  const { t } = useTranslation('exports')
  const may = useMay('EDITOR')
  const chosen = useChosen(exports)
  const removed = (
    <AppLink to="/exports" search={{ agent: id, state: 'REMOVED' }} size="sm">
      {t('removedLink')}
    </AppLink>
  )
  if (exports.length === 0) {
    return (
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {t('noneUsed')}
        </Text>
        {removed}
      </Group>
    )
  }
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between" gap="xs">
        <Title order={2}>{t('usedList')}</Title>
        {removed}
      </Group>
      <ExportsTable exports={exports} published={publishedVersion} chosen={may ? chosen : undefined} />
      {may && <BulkActions chosen={chosen} />}
    </Stack>
  )
}
