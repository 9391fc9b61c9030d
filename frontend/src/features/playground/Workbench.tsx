import { Alert, Paper, SegmentedControl, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Agent, BuildForm, useSaving } from '@/features/agents'
import { useMay } from '@/features/auth'
import { forgetRemembered, remember, remembered } from '@/shared/remembered'
import { ChatPanel } from './chat/ChatPanel'
import { Compare } from './compare/ComparePanel'
import { Opened } from './Opened'
import classes from './Playground.module.css'

const panes = ['write', 'try'] as const

/**
 * The agent's draft, and Try: a conversation, whose version and session ID are in the page's address. A narrow page shows one of the
 * two at a time; Try can take the whole window.
 */
export function Workbench({ agent }: { agent: Agent }) {
  const { t } = useTranslation('playground')
  const { node, try: view, continue: continueFrom } = useSearch({ strict: false })
  const [pane, setPane] = useState<(typeof panes)[number]>(continueFrom || view ? 'try' : 'write')
  const may = useMay('EDITOR')
  // A node of the flow leads to its fields.
  useEffect(() => {
    if (node) setPane('write')
  }, [node])
  if (!may) {
    return (
      <>
        <Alert icon={<IconLock aria-hidden />}>{t('mayRead')}</Alert>
        <Paper component="section" aria-label={t('draft')} className={classes.draft}>
          <BuildForm agent={agent} />
        </Paper>
      </>
    )
  }
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
        <TryPane agent={agent} />
      </div>
    </>
  )
}

/** A conversation with the draft or a version, or with two side by side. */
export function TryPane({ agent }: { agent: Agent }) {
  const { t } = useTranslation('playground')
  const { version, try: view, otherVersion } = useSearch({ strict: false })
  const drafted = version === undefined || (view === 'compare' && otherVersion === undefined)
  const shape = [classes.chat, view && classes.whole, view === 'window' && classes.alone]
  return (
    <Paper component="section" aria-label={t('panes.try')} className={shape.filter(Boolean).join(' ')} data-pane="try">
      {drafted && <Unsaved agentId={agent.id} />}
      {view === 'compare' ? <Compare agent={agent} /> : <Chat agent={agent} version={version} />}
    </Paper>
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
  const go = (id: string | undefined, from: string | undefined) => {
    if (id) remember(agent.id, id)
    else forgetRemembered(agent.id)
    if (id === session && from === continueFrom) return
    void navigate({ to: '.', search: (old) => ({ ...old, session: id, continue: from }), replace: true })
  }
  const onOpen = (id: string) => {
    go(id, undefined)
    open(id)
  }
  return (
    <Opened agentId={agent.id} session={first}>
      {(kept) => (
        <ChatPanel
          key={first}
          agent={agent}
          version={version}
          kept={kept}
          continueFrom={continueFrom}
          onSession={(id) => go(id, id && continueFrom)}
          onOpen={onOpen}
        />
      )}
    </Opened>
  )
}
