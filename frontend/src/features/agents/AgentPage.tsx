import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentRequirement } from '@/gql/graphql'
import { AppLink, Page, QueryView } from '@/shared/ui'
import { AgentActions } from './AgentActions'
import { AgentDrawer, type NodeName, nodeButtonId } from './AgentDrawer'
import { AgentTabs } from './AgentTabs'
import { type Agent, agentQuery } from './queries'
import { StateBadge } from './StateBadge'

const route = getRouteApi('/_app/agents/$id/')
const missingId = 'agent-missing'

const AgentCanvas = lazy(() => import('./AgentCanvas'))

export function AgentPage() {
  const { t } = useTranslation('agents')
  const { id } = route.useParams()
  const query = useQuery(agentQuery(id))
  const agent = query.data?.agent
  return (
    <Page
      title={agent?.name ?? t('agentTitle')}
      above={
        <AppLink to="/agents" size="sm" w="fit-content">
          {t('title')}
        </AppLink>
      }
      description={
        agent && (
          <Text span inherit className="panel-user-text">
            {agent.description}
          </Text>
        )
      }
      actions={agent && <AgentActions agent={agent} missingId={missingId} />}
    >
      <QueryView query={query}>{(data) => <AgentView key={data.agent.id} agent={data.agent} />}</QueryView>
    </Page>
  )
}

function AgentView({ agent }: { agent: Agent }) {
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (next: NodeName | undefined) => void navigate({ search: (old) => ({ ...old, node: next }) })
  return (
    <Stack gap="md">
      <AgentTabs id={agent.id} />
      <Standing agent={agent} />
      <Suspense fallback={<Skeleton className="panel-late" height={200} />}>
        <AgentCanvas agent={agent} open={node} onOpen={open} />
      </Suspense>
      <AgentDrawer
        agent={agent}
        node={node}
        onClose={() => open(undefined)}
        onClosed={(closed) => document.getElementById(nodeButtonId(closed))?.focus()}
      />
    </Stack>
  )
}

const nodeOfRequirement: Record<AgentRequirement, NodeName> = { NAME: 'agent', INSTRUCTIONS: 'agent', MODEL: 'model' }

/** Whether the agent answers callers, and if not, what is missing. */
function Standing({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const text = agent.state === 'COMPLETED' ? t('answers') : t(agent.missing.length > 0 ? 'lacks' : 'ready')
  return (
    <Paper p="sm" id={missingId} role="status">
      <Group gap="sm" align="flex-start">
        <StateBadge state={agent.state} />
        <div style={{ flex: '1 1 220px' }}>
          <Text>{text}</Text>
          {agent.missing.length > 0 && (
            <ul style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
              {agent.missing.map((requirement) => (
                <li key={requirement}>
                  <AppLink
                    to="/agents/$id"
                    params={{ id: agent.id }}
                    search={{ node: nodeOfRequirement[requirement] }}
                    underline="always"
                  >
                    {t(`requirement.${requirement}`)}
                  </AppLink>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Group>
    </Paper>
  )
}
