import { Button, Group, Paper, Stack, Text, TextInput, ThemeIcon, Title } from '@mantine/core'
import { IconApi } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentState } from '@/gql/graphql'
import { followMs } from '@/shared/gql'
import { AppLink, FormError, QueryView } from '@/shared/ui'
import { ExportItem } from './ExportItem'
import { Instructions } from './Instructions'
import { KeyReveal } from './KeyReveal'
import { type AgentExport, agentExportsQuery, type PublishedVersion, refreshExports } from './queries'
import { Replacement } from './Replacement'
import { Snippets } from './Snippets'
import { keyVariable, needsUser } from './snippets'
import { settingsOf, useCreateExport } from './useCreateExport'
import { useEachDay } from './useEachDay'

export type ChannelsPanelProps = {
  agentId: string
  agentName: string
  agentState: AgentState
  /** Whether the agent's model is the sandbox, which returns made-up replies. */
  sandbox: boolean
}

/** How many removed exports the drawer shows. The exports page has all. */
const removedShown = 5
/** How often to check whether the old key is still used while it is being replaced. */
const watchMs = 10_000

/**
 * The content of an agent's Channels drawer. The drawer closes by navigation, which a visible key blocks until the reader has
 * saved it.
 */
export function ChannelsPanel({ agentId, agentName, agentState, sandbox }: ChannelsPanelProps) {
  const { t } = useTranslation('exports')
  const creation = useCreateExport(agentId)
  const heading = useRef<HTMLHeadingElement>(null)
  const [replacing, setReplacing] = useState<{ old: string; by: string }>()
  const query = useQuery({ ...agentExportsQuery(agentId), refetchInterval: replacing ? watchMs : followMs })
  const variables = query.data?.agent.publishedVersion?.variables ?? []
  const withUserId = needsUser(query.data?.agent.exports ?? [])
  const live = agentState === 'LIVE'
  const mayCreate = live && !creation.shown && !creation.pending
  const exports = query.data?.agent.exports ?? []
  const isRemoved = (id: string | undefined) => exports.find((row) => row.id === id)?.state === 'REMOVED'
  const over = isRemoved(replacing?.old) || isRemoved(replacing?.by)
  const old = over ? undefined : exports.find((row) => row.id === replacing?.old)
  useEffect(() => {
    if (over) setReplacing(undefined)
  }, [over])

  const replace = (row: AgentExport) => creation.create(settingsOf(row), (id) => setReplacing({ old: row.id, by: id }))
  // The pressed button disappears; the focus stays in this part of the drawer.
  const saved = () => {
    creation.forget()
    heading.current?.focus()
  }
  const replaced = () => {
    setReplacing(undefined)
    heading.current?.focus()
  }
  return (
    <Stack gap="md">
      <Title order={3}>{t('web')}</Title>
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
            <CreateForm live={live} sandbox={sandbox} pending={creation.pending} create={creation.create} />
          )}
          <FormError error={creation.error} onClose={creation.clearError} />
          {old && <Replacement agentId={agentId} old={old} onDone={replaced} />}
          <QueryView query={query}>
            {({ agent }) => (
              <ExportLists
                agentId={agentId}
                published={agent.publishedVersion}
                exports={agent.exports}
                onReplace={mayCreate ? replace : undefined}
              />
            )}
          </QueryView>
        </Stack>
      </Paper>
      <Stack gap="xs">
        <Title order={3}>{t('use')}</Title>
        <Text size="sm" c="dimmed">
          {t('useText', { variable: keyVariable })}{' '}
          <AppLink to="/api-docs" underline="always" inherit>
            {t('docs')}
          </AppLink>
        </Text>
        <Snippets apiKey={creation.shown?.apiKey} variables={variables} withUserId={withUserId} />
        <Instructions agentName={agentName} variables={variables} withUserId={withUserId} />
      </Stack>
    </Stack>
  )
}

type CreateProps = {
  live: boolean
  sandbox: boolean
  pending: boolean
  create: (wanted: { name?: string }, onCreated: () => void) => void
}

function CreateForm({ live, sandbox, pending, create }: CreateProps) {
  const { t } = useTranslation('exports')
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (live) create({ name: name.trim() }, () => setName(''))
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

type ListsProps = {
  agentId: string
  published: PublishedVersion
  exports: AgentExport[]
  onReplace?: (row: AgentExport) => void
}

function ExportLists({ agentId, published, exports, onReplace }: ListsProps) {
  const { t } = useTranslation('exports')
  const heading = useRef<HTMLHeadingElement>(null)
  const removing = useRef(false)
  const queryClient = useQueryClient()
  useEachDay(() => refreshExports(queryClient))
  const used = exports.filter((row) => row.state !== 'REMOVED')
  // The pressed button disappears with its row; the focus must not get lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the row has gone
  useEffect(() => {
    if (removing.current) heading.current?.focus()
    removing.current = false
  }, [used.length])
  const removed = exports
    .filter((row) => row.state === 'REMOVED')
    .sort((a, b) => Date.parse(b.removedAt ?? '') - Date.parse(a.removedAt ?? ''))
  return (
    <Stack gap="md">
      <section aria-label={t('usedList')}>
        <Title order={5} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('usedList')}
        </Title>
        {used.length === 0 ? (
          <Text size="sm" c="dimmed" mt={4}>
            {t('noneUsed')}
          </Text>
        ) : (
          <ul className="panel-list">
            {used.map((row) => (
              <ExportItem
                key={row.id}
                agentId={agentId}
                published={published}
                row={row}
                onReplace={onReplace ? () => onReplace(row) : undefined}
                onRemoved={() => {
                  removing.current = true
                }}
              />
            ))}
          </ul>
        )}
      </section>
      {removed.length > 0 && (
        <section aria-label={t('removedList')}>
          <Title order={5}>{t('removedList')}</Title>
          <ul className="panel-list">
            {removed.slice(0, removedShown).map((row) => (
              <ExportItem key={row.id} agentId={agentId} row={row} />
            ))}
          </ul>
          {removed.length > removedShown && (
            <AppLink to="/exports" search={{ state: 'REMOVED' }} size="sm">
              {t('allRemoved')}
            </AppLink>
          )}
        </section>
      )}
    </Stack>
  )
}
