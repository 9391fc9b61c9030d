import { Spotlight, type SpotlightActionData, type SpotlightFilterFunction, spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { IconListDetails, IconMessages, IconPlugConnected, IconRobot, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { agentChoicesQuery, exportChoicesQuery, has } from '@/features/choices'
import { isolate } from '@/shared/i18n'
import { pages } from './pages'

const shownAtOnce = 12

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

/** The command palette: pages, agents and exports by name, and what was typed as an ID or a text. Loaded on first use, and then opens itself. */
export default function Palette({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const agents = useQuery(agentChoicesQuery)
  const exports = useQuery(exportChoicesQuery(undefined))
  const [query, setQuery] = useState('')
  const typed = query.trim()
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
  // The last are there for whatever was typed: IDs and texts are looked for by the service.
  if (typed) {
    const find = { search: typed }
    actions.push({
      group: t('paletteFind'),
      actions: [
        to('request', t('findRequest', { typed: isolate(typed) }), <IconListDetails size={16} aria-hidden />, () =>
          navigate({ to: '/requests', search: { ...find, time: 'all' } }),
        ),
        to('session', t('findSession', { typed: isolate(typed) }), <IconMessages size={16} aria-hidden />, () =>
          navigate({ to: '/conversations', search: find }),
        ),
        to('text', t('findText', { typed: isolate(typed) }), <IconMessages size={16} aria-hidden />, () =>
          navigate({ to: '/conversations', search: { text: typed } }),
        ),
      ],
    })
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
      nothingFound={t(loading ? 'paletteLoading' : 'paletteNothing')}
      onSpotlightClose={onClosed}
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0 }}
      searchProps={{
        'aria-label': t('palette'),
        placeholder: t('palettePlaceholder'),
        leftSection: <IconSearch size={16} aria-hidden />,
      }}
    />
  )
}
