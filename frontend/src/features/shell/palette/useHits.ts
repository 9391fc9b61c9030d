import { useDebouncedValue } from '@mantine/hooks'
import { IconListDetails, IconMessages, IconPlugConnected, IconRobot, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { isolate } from '@/shared/i18n'
import { agentChoicesQuery, exportChoicesQuery } from '@/shared/ui'
import { pages } from '../pages'
import { foundQuery } from './found'
import { actions as doings, subPages } from './jumps'
import { type Hit, ranked } from './ranked'

const askAfterMs = 200

export type Row = Hit & { key: string; Icon: typeof IconUser; go: () => unknown }
type Group = { title: string; hits: Row[] }

/** Returns the hits for what was typed, best first, and whether all sources have answered. */
export function useHits(typed: string, showKeys: () => void) {
  const { t } = useTranslation(['shell', 'palette'])
  const navigate = useNavigate()
  const may = useMay('EDITOR')
  const owner = useMay('OWNER')
  const agents = useQuery(agentChoicesQuery)
  const exports = useQuery(exportChoicesQuery(undefined))
  const [asked] = useDebouncedValue(typed, askAfterMs)
  const answered = useQuery({ ...foundQuery(asked), enabled: asked !== '' })

  const places: Group = {
    title: t('palettePages'),
    hits: pages.map(({ to, label, Icon }) => ({ key: to, label: t(label), Icon, go: () => navigate({ to }) })),
  }
  const actions: Group = {
    title: t('palette:actions'),
    hits: doings
      .filter(({ id }) => may || id !== 'newAgent')
      .map(({ id, link, Icon }) => ({
        key: id,
        label: t(`palette:action.${id}`),
        Icon,
        go: () => (link ? navigate(link) : showKeys()),
      })),
  }
  const agentHits: Group = {
    title: t('agents'),
    hits: (agents.data ?? []).map(({ id, name }) => ({
      key: id,
      id,
      label: isolate(name),
      Icon: IconRobot,
      go: () => navigate({ to: '/agents/$id', params: { id } }),
    })),
  }
  const exportHits: Group = {
    title: t('exports'),
    hits: (exports.data ?? [])
      .filter(({ state }) => state !== 'REMOVED')
      .map(({ id, name, agent }) => ({
        key: id,
        id,
        label: isolate(name),
        of: isolate(agent.name),
        Icon: IconPlugConnected,
        go: () => navigate({ to: '/exports/$id', params: { id } }),
      })),
  }
  const known = !agents.isPending && !exports.isPending
  if (!typed) return { groups: ranked(typed, [places, actions, agentHits, exportHits]), settled: known }

  places.hits.push(
    ...subPages
      .filter((page) => !('least' in page) || (page.least === 'OWNER' ? owner : may))
      .map(({ id, link, Icon }) => ({
        key: `page ${id}`,
        label: t(`palette:page.${id}`),
        Icon,
        go: () => navigate(link),
      })),
  )
  const viewer = asked === typed ? answered.data?.viewer : undefined
  const people = viewer?.people.nodes.filter(({ userId }) => userId !== viewer.person?.userId) ?? []
  const users: Group = {
    title: t('palette:people'),
    hits: [...(viewer?.person ? [viewer.person] : []), ...people].map(({ userId }) => ({
      key: `user ${userId}`,
      id: userId,
      found: true,
      label: isolate(userId),
      Icon: IconUser,
      go: () => navigate({ to: '/activity/people/person', search: { id: userId } }),
    })),
  }
  const sessions: Group = {
    title: t('palette:sessions'),
    hits: (viewer?.sessions.nodes ?? []).map(({ id, sessionId, agent }) => ({
      key: id,
      id: sessionId,
      found: true,
      label: isolate(sessionId),
      of: isolate(agent.name),
      Icon: IconMessages,
      go: () => navigate({ to: '/activity/conversations/$id', params: { id } }),
    })),
  }
  // The service finds requests by exact IDs only.
  const requests: Group = {
    title: t('palette:page.requests'),
    hits: (viewer?.requests.nodes ?? []).map(({ id }) => ({
      key: id,
      id: typed,
      label: t('palette:request', { typed: isolate(typed) }),
      Icon: IconListDetails,
      go: () => navigate({ to: '/activity/requests', search: { search: typed, time: 'all' } }),
    })),
  }
  const nothing = viewer && [users, sessions, requests].every(({ hits }) => hits.length === 0)
  const texts: Group = {
    title: t('paletteFind'),
    hits: [
      {
        key: 'text',
        label: t('palette:text', { typed: isolate(typed) }),
        of: nothing ? t('palette:nothing', { typed: isolate(typed) }) : undefined,
        Icon: IconMessages,
        go: () => navigate({ to: '/activity/conversations', search: { text: typed, time: 'all' } }),
      },
    ],
  }
  return {
    groups: ranked(typed, [users, agentHits, exportHits, places, actions, sessions, requests, texts]),
    settled: known && asked === typed && !answered.isPending,
  }
}
