import { Spotlight, type SpotlightActionData, type SpotlightFilterFunction, spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconListDetails, IconMessages, IconPlugConnected, IconRobot, IconSearch, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { isolate } from '@/shared/i18n'
import { agentChoicesQuery, exportChoicesQuery, has } from '@/shared/ui'
import { pages } from '../pages'
import { foundQuery } from './found'
import { actions as doings, subPages } from './jumps'
import classes from './Palette.module.css'

const shownAtOnce = 24
const askAfterMs = 200
const none = { people: { nodes: [] }, sessions: { nodes: [] }, requests: { nodes: [] } }

/** What has the typed text in its name or description; groups that have it in a name first. */
const found: SpotlightFilterFunction = (typed, groups) => {
  const named = ({ label = '' }: SpotlightActionData) => has(label, typed)
  return groups
    .flatMap((one) => ('actions' in one ? one : []))
    .map(({ group, actions }) => ({
      group,
      actions: actions.filter((one) => named(one) || has(one.description ?? '', typed)),
    }))
    .filter(({ actions }) => actions.length > 0)
    .sort((a, b) => Number(b.actions.some(named)) - Number(a.actions.some(named)))
}

type Props = { onClosed: () => void; showKeys: () => void }

/**
 * The command palette: pages, actions, agents and exports by name, people and sessions, and what was typed as an ID or a text. Loaded on
 * first use, and then opens itself.
 */
export default function Palette({ onClosed, showKeys }: Props) {
  const { t } = useTranslation(['shell', 'palette'])
  const navigate = useNavigate()
  const may = useMay('EDITOR')
  const owner = useMay('OWNER')
  const agents = useQuery(agentChoicesQuery)
  const exports = useQuery(exportChoicesQuery(undefined))
  const [query, setQuery] = useState('')
  const typed = query.trim()
  const [asked] = useDebouncedValue(typed, askAfterMs)
  const answered = useQuery({ ...foundQuery(asked), enabled: asked !== '' })
  useEffect(() => spotlight.open(), [])
  const to = (id: string, label: string, icon: SpotlightActionData['leftSection'], go: () => unknown, of?: string) => ({
    id,
    label,
    description: of,
    leftSection: icon,
    onClick: () => void go(),
  })
  const actions = [
    {
      group: t('palettePages'),
      actions: pages.map(({ to: page, label, Icon }) =>
        to(page, t(label), <Icon size={16} aria-hidden />, () => navigate({ to: page })),
      ),
    },
    {
      group: t('palette:actions'),
      actions: doings
        .filter(({ id }) => may || id !== 'newAgent')
        .map(({ id, link, Icon }) =>
          to(id, t(`palette:action.${id}`), <Icon size={16} aria-hidden />, () => (link ? navigate(link) : showKeys())),
        ),
    },
    {
      group: t('agents'),
      actions: (agents.data ?? []).map(({ id, name }) =>
        to(id, isolate(name), <IconRobot size={16} aria-hidden />, () =>
          navigate({ to: '/agents/$id', params: { id } }),
        ),
      ),
    },
    {
      group: t('exports'),
      actions: (exports.data ?? [])
        .filter(({ state }) => state !== 'REMOVED')
        .map(({ id, name, agent }) => {
          const go = () => navigate({ to: '/exports/$id', params: { id } })
          return to(id, isolate(name), <IconPlugConnected size={16} aria-hidden />, go, isolate(agent.name))
        }),
    },
  ]
  // Results of the service for part of an ID. The last entries appear for any text.
  if (typed) {
    actions[0]?.actions.push(
      ...subPages
        .filter((page) => !('least' in page) || (page.least === 'OWNER' ? owner : may))
        .map(({ id, link, Icon }) =>
          to(`page ${id}`, t(`palette:page.${id}`), <Icon size={16} aria-hidden />, () => navigate(link)),
        ),
    )
    const viewer = asked === typed ? answered.data?.viewer : undefined
    const { people, sessions, requests } = viewer ?? none
    const nothing = viewer && people.nodes.length + sessions.nodes.length + requests.nodes.length === 0
    actions.push(
      {
        group: t('palette:people'),
        actions: people.nodes.map(({ userId }) =>
          to(`person ${userId}`, isolate(userId), <IconUser size={16} aria-hidden />, () =>
            navigate({ to: '/activity/people/person', search: { id: userId } }),
          ),
        ),
      },
      {
        group: t('palette:sessions'),
        actions: sessions.nodes.map(({ id, sessionId, agent }) => {
          const go = () => navigate({ to: '/activity/conversations/$id', params: { id } })
          return to(id, isolate(sessionId), <IconMessages size={16} aria-hidden />, go, isolate(agent.name))
        }),
      },
      {
        group: t('paletteFind'),
        actions: [
          to(
            'text',
            t('palette:text', { typed: isolate(typed) }),
            <IconMessages size={16} aria-hidden />,
            () => navigate({ to: '/activity/conversations', search: { text: typed, time: 'all' } }),
            nothing ? t('palette:nothing', { typed: isolate(typed) }) : undefined,
          ),
          ...(requests.nodes.length > 0
            ? [
                to(
                  'request',
                  t('palette:request', { typed: isolate(typed) }),
                  <IconListDetails size={16} aria-hidden />,
                  () => navigate({ to: '/activity/requests', search: { search: typed, time: 'all' } }),
                ),
              ]
            : []),
        ],
      },
    )
  }
  const loading = agents.isPending || exports.isPending
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      filter={found}
      limit={shownAtOnce}
      shortcut={null}
      scrollable
      maxHeight="60dvh"
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }} // to scroll by keys: what is in it never has the focus
      nothingFound={t(loading ? 'paletteLoading' : 'paletteNothing')}
      onSpotlightClose={onClosed}
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0 }}
      styles={{ actionBody: { minWidth: 0, overflowWrap: 'anywhere' } }} // IDs may be long
      searchProps={{
        'aria-label': t('palette'),
        placeholder: t('palettePlaceholder'),
        classNames: { input: classes.search },
        leftSection: <IconSearch size={16} aria-hidden />,
      }}
    />
  )
}
