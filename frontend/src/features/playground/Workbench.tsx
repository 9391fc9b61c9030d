import { Box, Paper, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Agent, BuildForm, useSaving } from '@/features/agents'
import { remember, remembered } from '@/shared/remembered'
import { LoadingState, QueryView } from '@/shared/ui'
import { ChatPanel } from './ChatPanel'
import { InstructionsPanel } from './InstructionsPanel'
import { keptQuery } from './kept'
import classes from './Playground.module.css'

const panes = ['write', 'try'] as const

type Props = {
  agent: Agent
  /** Whether the whole draft is written here, and comes first; a phone then shows one of the two at a time. */
  writing?: boolean
}

/** The draft's instructions beside a conversation, whose version and session ID are in the page's address. */
export function Workbench({ agent, writing = false }: Props) {
  const { t } = useTranslation('playground')
  const { version, node, continue: continueFrom } = useSearch({ strict: false })
  const [pane, setPane] = useState<(typeof panes)[number]>(continueFrom ? 'try' : 'write')
  // A node of the flow leads to its fields.
  useEffect(() => {
    if (node === 'agent' || node === 'model') setPane('write')
  }, [node])
  const instructions = (
    <Paper component="section" aria-label={t('draft')} className={classes.instructions} data-pane="write">
      {writing ? <BuildForm agent={agent} /> : <InstructionsPanel agent={agent} version={version} />}
    </Paper>
  )
  return (
    <>
      {writing && (
        <SegmentedControl
          className={classes.switch}
          aria-label={t('pane')}
          data={panes.map((value) => ({ value, label: t(`panes.${value}`) }))}
          value={pane}
          onChange={setPane}
        />
      )}
      <div className={classes.panes} data-writing={writing || undefined} data-shown={writing ? pane : undefined}>
        {writing && instructions}
        <Paper component="section" aria-label={t('chat')} className={classes.chat} data-pane="try">
          {version === undefined && <Unsaved agentId={agent.id} />}
          <Chat agent={agent} version={version} />
        </Paper>
        {!writing && instructions}
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
    if (id === session && from === continueFrom) return
    void navigate({ to: '.', search: (old) => ({ ...old, session: id, continue: from }), replace: true })
  }
  const onSession = (id: string | undefined) => go(id, id && continueFrom)
  const onOpen = (id: string) => {
    remember(agent.id, id)
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
