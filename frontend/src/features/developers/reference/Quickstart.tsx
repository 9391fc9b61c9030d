import { Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AppLink, ButtonLink, EmptyState, exportChoicesQuery, QueryView } from '@/shared/ui'
import { Instructions } from '../calling/Instructions'
import { Snippets } from '../calling/snippets/Snippets'
import { needsUser } from '../calling/snippets/snippets'
import { newestQuery, quickstartQuery } from './queries'

const route = getRouteApi('/developers/')

type Choice = { id: string; name: string; state: string; agent: { id: string; name: string } }

/** How to call one of the account's agents through one of its exports. */
export function Quickstart() {
  const { agent, export: id } = route.useSearch()
  const query = useQuery(exportChoicesQuery(undefined))
  // What will most likely be shown is asked for along with the choices.
  useQuery({ ...quickstartQuery(id ?? ''), enabled: id !== undefined })
  useQuery({ ...newestQuery(agent), enabled: id === undefined })
  return <QueryView query={query}>{(exports) => <Chosen exports={exports.filter(inUse)} />}</QueryView>
}

const inUse = ({ state }: Choice) => state !== 'REMOVED'

/** The export of the address, or else the newest that answers: of the agent in the address, or of all. */
function Chosen({ exports }: { exports: Choice[] }) {
  const { t } = useTranslation('developers')
  const { agent, export: id } = route.useSearch()
  const navigate = route.useNavigate()
  const offered = exports.filter((one) => !agent || one.agent.id === agent)
  const chosen = exports.find((one) => one.id === id) ?? offered.find(({ state }) => state === 'ACTIVE') ?? offered[0]
  if (!chosen) {
    return (
      <>
        <EmptyState
          title={t('noExports')}
          text={t('noExportsText')}
          action={<ButtonLink to="/agents">{t('toAgents')}</ButtonLink>}
        />
        <Snippets variables={[]} withUserId={false} />
      </>
    )
  }
  const agents = new Map(exports.map((one) => [one.agent.id, one.agent.name]))
  return (
    <>
      <Group gap="xs" align="flex-end">
        <Select
          label={t('agent')}
          data={[...agents].map(([value, label]) => ({ value, label }))}
          value={chosen.agent.id}
          onChange={(next) => next && void navigate({ search: { agent: next }, resetScroll: false })}
          searchable
          allowDeselect={false}
          style={{ flex: '1 1 160px', maxWidth: 280 }}
        />
        <Select
          label={t('export')}
          data={exports
            .filter((one) => one.agent.id === chosen.agent.id)
            .map((one) => ({ value: one.id, label: one.name }))}
          value={chosen.id}
          onChange={(next) => next && void navigate({ search: { export: next }, resetScroll: false })}
          searchable
          allowDeselect={false}
          style={{ flex: '1 1 160px', maxWidth: 280 }}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t('keyText')}{' '}
        <AppLink to="/exports/$id" params={{ id: chosen.id }} inherit underline="always">
          {t('openExport')}
        </AppLink>
      </Text>
      <Samples key={chosen.id} id={chosen.id} />
    </>
  )
}

function Samples({ id }: { id: string }) {
  const query = useQuery(quickstartQuery(id))
  return (
    <QueryView query={query}>
      {(row) => {
        if (!row) return null
        const version = row.pinnedVersion ?? row.agent.publishedVersion ?? { variables: [] }
        const called = { ...version, withUserId: needsUser([row]) }
        return (
          <>
            <Snippets {...called} />
            <Instructions agentName={row.agent.name} {...called} />
          </>
        )
      }}
    </QueryView>
  )
}
