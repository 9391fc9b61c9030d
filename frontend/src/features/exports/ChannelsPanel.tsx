import { Button, Group, Paper, Stack, Text, TextInput, ThemeIcon, Title } from '@mantine/core'
import { IconApi } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { CallAgent, needsUser } from '@/features/developers'
import type { AgentState } from '@/gql/graphql'
import { followMs, gql } from '@/shared/gql'
import { AppLink, FormError, KeyReveal, QueryView, useNewKey } from '@/shared/ui'
import { ExportsTable } from './ExportsTable'
import {
  type AgentExport,
  agentExportsQuery,
  CreateApiExportDocument,
  type PublishedVersion,
  refreshExports,
} from './queries'

export type ChannelsPanelProps = {
  agentId: string
  agentName: string
  agentState: AgentState
  /** Whether the agent's model is the sandbox, which returns made-up replies. */
  sandbox: boolean
  /** Whether it stands in a drawer. */
  narrow?: boolean
}

/**
 * Where an agent's exports are made and found: its own page, and a drawer. The drawer closes by navigation, which a visible key
 * blocks until the reader has saved it.
 */
export function ChannelsPanel({ agentId, agentName, agentState, sandbox, narrow }: ChannelsPanelProps) {
  const { t } = useTranslation('exports')
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useQuery({ ...agentExportsQuery(agentId), refetchInterval: followMs })
  const [awaited, setAwaited] = useState<string>()
  const creation = useNewKey(async (name: string) => {
    const input = { agentId, name: name || undefined }
    const { createApiExport } = await gql(CreateApiExportDocument, { input })
    setAwaited(createApiExport.export.id)
    return { apiKey: createApiExport.apiKey, exportName: createApiExport.export.name }
  }, refreshExports)
  const published = query.data?.agent.publishedVersion
  const withUserId = needsUser(query.data?.agent.exports ?? [])
  const live = agentState === 'LIVE'
  // The pressed button disappears; the focus stays in this part of the drawer.
  const saved = () => {
    creation.forget()
    heading.current?.focus()
  }
  return (
    <Stack gap="lg">
      <Title order={3} mb={-12}>
        {t('web')}
      </Title>
      <Paper p="md">
        <Stack gap="md">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <ThemeIcon variant="light" aria-hidden>
              <IconApi size={18} />
            </ThemeIcon>
            <div>
              <Title order={4} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
                {t('api')}
              </Title>
              <Text size="sm" c="dimmed">
                {t('apiText')}
              </Text>
            </div>
          </Group>
          {creation.shown ? (
            <KeyReveal {...creation.shown} onSaved={saved} />
          ) : (
            <May least="EDITOR">
              <CreateForm live={live} sandbox={sandbox} pending={creation.pending} create={creation.create} />
            </May>
          )}
          <FormError error={creation.error} onClose={creation.clearError} />
        </Stack>
      </Paper>
      <CallAgent
        agentName={agentName}
        apiKey={creation.shown?.apiKey}
        awaited={awaited}
        variables={published?.variables ?? []}
        actions={published?.actions}
        replySchema={published?.replySchema}
        withUserId={withUserId}
      />
      <QueryView query={query}>
        {({ agent }) => (
          <ExportList agentId={agentId} published={agent.publishedVersion} exports={agent.exports} narrow={narrow} />
        )}
      </QueryView>
    </Stack>
  )
}

type CreateProps = {
  live: boolean
  sandbox: boolean
  pending: boolean
  create: (name: string) => Promise<void>
}

function CreateForm({ live, sandbox, pending, create }: CreateProps) {
  const { t } = useTranslation('exports')
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A failure is shown below.
    if (live) create(name.trim()).catch(() => {})
  }
  const note = live ? (sandbox ? t('sandboxNote') : undefined) : t('draftNote')
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end">
          {live && (
            <TextInput
              label={t('newName')}
              placeholder={t('newNamePlaceholder')}
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              style={{ flex: '1 1 180px' }}
            />
          )}
          <Button
            type="submit"
            disabled={!live}
            loading={pending}
            aria-describedby={note ? 'create-export-note' : undefined}
          >
            {t('create')}
          </Button>
        </Group>
        {note && (
          <Text size="sm" id="create-export-note" c={live ? 'dimmed' : 'var(--warn)'}>
            {note}
          </Text>
        )}
      </Stack>
    </form>
  )
}

type ListProps = { agentId: string; published: PublishedVersion; exports: AgentExport[]; narrow?: boolean }

/** The exports that are in use, each a row that leads to its page. */
function ExportList({ agentId, published, exports, narrow }: ListProps) {
  const { t } = useTranslation('exports')
  return (
    <section>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={3}>{t('usedList')}</Title>
        <AppLink to="/exports" search={{ agent: agentId, state: 'REMOVED' }} size="sm">
          {t('removedLink')}
        </AppLink>
      </Group>
      {exports.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noneUsed')}
        </Text>
      ) : (
        <ExportsTable exports={exports} published={published} narrow={narrow} />
      )}
    </section>
  )
}
