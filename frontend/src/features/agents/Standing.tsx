import { Button, Group, Paper, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { DiscardAgentChangesDocument, refreshVersions } from '@/features/versions'
import type { AgentRequirement } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { AppLink, confirm, LoadingState, notifyDone } from '@/shared/ui'
import type { NodeName } from './AgentDrawer'
import type { Agent } from './queries'
import { StateBadge } from './StateBadge'

const DraftChanges = lazy(async () => ({ default: (await import('@/features/versions')).DraftChanges }))

const nodeOfRequirement: Record<AgentRequirement, NodeName> = { NAME: 'agent', INSTRUCTIONS: 'agent', MODEL: 'model' }

/** What callers get, what the draft lacks before it can be published, and Discard. */
export function Standing({ agent, id }: { agent: Agent; id: string }) {
  const { t } = useTranslation('agents')
  const published = agent.publishedVersion?.number
  return (
    <Paper p="sm" id={id} role="status" tabIndex={-1} style={{ outline: 'none' }}>
      <Group gap="sm" align="flex-start">
        <StateBadge agent={agent} />
        <div style={{ flex: '1 1 220px' }}>
          <Text>{t(textOf(agent), { number: published })}</Text>
          {agent.missing.length > 0 && <Missing agent={agent} />}
        </div>
        {published !== undefined && agent.hasUnpublishedChanges && <Discard agent={agent} number={published} />}
      </Group>
    </Paper>
  )
}

function textOf({ state, missing, publishedVersion, hasUnpublishedChanges: changed }: Agent) {
  if (state === 'COMPLETED') return changed ? 'standing.changed' : 'standing.live'
  if (publishedVersion) return changed ? 'standing.offlineChanged' : 'standing.offline'
  return missing.length > 0 ? 'standing.lacking' : 'standing.ready'
}

function Missing({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  return (
    <>
      <Text mt={4}>{t('lacks')}</Text>
      <ul style={{ margin: '4px 0 0', paddingInlineStart: 20, lineHeight: '26px' }}>
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
    </>
  )
}

function Discard({ agent: { id, name }, number }: { agent: Agent; number: number }) {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const ask = () =>
    confirm({
      title: t('discardTitle', { name }),
      body: (
        <Suspense fallback={<LoadingState rows={2} />}>
          <DraftChanges agentId={id} text={t('discardText', { number })} />
        </Suspense>
      ),
      confirmLabel: t('discard'),
      danger: true,
      wide: true,
      onConfirm: async () => {
        await gql(DiscardAgentChangesDocument, { input: { id } })
        await refreshVersions(queryClient)
        void notifyDone(t('discardedDone', { number }))
      },
    })
  return (
    <Button size="xs" variant="default" onClick={() => void ask()}>
      {t('discard')}
    </Button>
  )
}
