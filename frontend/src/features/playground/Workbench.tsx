import { Box, Paper, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Agent, BuildForm, useSaving } from '@/features/agents'
import { forgetRemembered, remember, remembered } from '@/shared/remembered'
import { LoadingState, QueryView } from '@/shared/ui'
import { ChatPanel } from './ChatPanel'
import { keptQuery } from './kept'
import classes from './Playground.module.css'

const panes = ['write', 'try'] as const

/**
 * The agent's draft, and Try: a conversation, whose version and session ID are in the page's address. A phone shows one of the two
 * at a time; Try can take the whole window.
 */
export function Workbench({ agent }: { agent: Agent }) {
  const { t } = useTranslation('playground')
  const { version, node, try: view, continue: continueFrom } = useSearch({ strict: false })
  const [pane, setPane] = useState<(typeof panes)[number]>(continueFrom || view ? 'try' : 'write')
  // A node of the flow leads to its fields.
  useEffect(() => {
    if (node === 'agent' || node === 'model') setPane('write')
  }, [node])
  return (
    <>
      <SegmentedControl
        className={classes.switch}
        aria-label={t('pane')}
        data={panes.map((value) => ({ value, label: t(`panes.${value}`) }))}
        value={pane}
        onChange={setPane}
      />
      <div className={classes.panes} data-shown={view ? 'try' : pane}>
        <Paper component="section" aria-label={t('draft')} className={classes.draft} data-pane="write">
          <BuildForm agent={agent} />
        </Paper>
        <Paper
          component="section"
          aria-label={t('chat')}
          className={view ? `${classes.chat} ${classes.whole}` : classes.chat}
          data-pane="try"
        >
          {version === undefined && <Unsaved agentId={agent.id} />}
          <Chat agent={agent} version={version} />
        </Paper>
      </div>
    </>
  )
}

/** What could not be saved takes no part in the draft's answers. */
function Unsaved({ agentId }: { agentId: string }) {
  const { t } = useTranslation('playground')
  const saving = useSaving(agentId)
  if (saving === undefined || saving === 'saved' || saving === 'saving') return null
  return (
    <Text size="sm" className={classes.unsaved} role="status">
      {t('unsaved')}
    </Text>
  )
}

/** The conversation of the address, or the one that was last open in this tab; else a new one. */
function Chat({ agent, version }: { agent: Agent; version?: number }) {
  const { session, continue: continueFrom } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first, open] = useState(() => session ?? (continueFrom === undefined ? remembered(agent.id) : undefined))
  const kept = useQuery({ ...keptQuery(agent.id, first ?? ''), enabled: first !== undefined })
  const go = (id: string | undefined, from: string | undefined) => {
    if (id) remember(agent.id, id)
    else forgetRemembered(agent.id)
    if (id === session && from === continueFrom) return
    void navigate({ to: '.', search: (old) => ({ ...old, session: id, continue: from }), replace: true })
  }
  const onSession = (id: string | undefined) => go(id, id && continueFrom)
  const onOpen = (id: string) => {
    go(id, undefined)
    open(id)
  }
  const shared = { agent, version, continueFrom, onSession, onOpen }
  if (first === undefined) return <ChatPanel {...shared} />
  return (
    <QueryView
      query={kept}
      loading={
        <Box p="md">
          <LoadingState rows={3} />
        </Box>
      }
    >
      {(data) => <ChatPanel key={first} kept={data} {...shared} />}
    </QueryView>
  )
}
