import { Box, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Agent, AgentTabs, agentQuery } from '@/features/agents'
import { AppLink, LoadingState, Page, QueryView } from '@/shared/ui'
import { ChatPanel } from './ChatPanel'
import { InstructionsPanel } from './InstructionsPanel'
import { keptQuery, remembered } from './kept'
import classes from './Playground.module.css'

const route = getRouteApi('/_app/agents/$id/playground')

/** Tries an agent out: a conversation with it on the left, its instructions on the right. */
export function PlaygroundPage() {
  const { t } = useTranslation('playground')
  const { id } = route.useParams()
  const query = useQuery(agentQuery(id))
  const name = query.data?.agent.name
  return (
    <Page
      task
      title={name === undefined ? t('title') : t('titleOf', { name })}
      description={t('description')}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('agents')}
        </AppLink>
      }
    >
      <AgentTabs id={id} />
      {/* Another agent starts another conversation. */}
      <QueryView query={query}>{({ agent }) => <Panes key={agent.id} agent={agent} />}</QueryView>
    </Page>
  )
}

function Panes({ agent }: { agent: Agent }) {
  const { t } = useTranslation('playground')
  const { version } = route.useSearch()
  return (
    <div className={classes.panes}>
      <Paper component="section" aria-label={t('chat')} className={classes.chat}>
        <Chat agent={agent} version={version} />
      </Paper>
      <Paper component="section" aria-labelledby="instructions-title" className={classes.instructions}>
        <InstructionsPanel agent={agent} version={version} />
      </Paper>
    </div>
  )
}

/** The conversation of the address, or the one that was last open in this tab; else a new one. */
function Chat({ agent, version }: { agent: Agent; version?: number }) {
  const { session } = route.useSearch()
  const navigate = route.useNavigate()
  const [first] = useState(() => session ?? remembered(agent.id))
  const kept = useQuery({ ...keptQuery(agent.id, first ?? ''), enabled: first !== undefined })
  const onSession = (id: string | undefined) => {
    if (id !== session) void navigate({ search: (old) => ({ ...old, session: id }), replace: true })
  }
  if (first === undefined) return <ChatPanel agent={agent} version={version} onSession={onSession} />
  return (
    <QueryView
      query={kept}
      loading={
        <Box p="md">
          <LoadingState rows={3} />
        </Box>
      }
    >
      {(data) => <ChatPanel agent={agent} version={version} kept={data} onSession={onSession} />}
    </QueryView>
  )
}
