import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { agentChoicesQuery, exportChoicesQuery } from '@/features/choices'
import type { CreditKind } from '@/gql/graphql'
import { DayField } from '@/shared/ui'
import { type CreditSearch, creditKinds, isFiltered } from './filter'

const route = getRouteApi('/_app/credits')
const fieldStyle = { flex: '1 1 150px', maxWidth: 240 }
const listHeight = 280

/** Kind, agent, export and days, all kept in the URL. */
export function Filters() {
  const { t } = useTranslation('credits')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const agents = useQuery(agentChoicesQuery).data ?? []
  const exports = useQuery(exportChoicesQuery(search.agent)).data ?? []
  const change = (changed: CreditSearch) =>
    void navigate({ search: (old) => ({ ...old, ...changed }), resetScroll: false })
  const exportLabel = ({ name, state, agent }: (typeof exports)[number]) => {
    const whole = search.agent ? name : t('exportOf', { name, agent: agent.name })
    return state === 'REMOVED' ? t('removedExport', { name: whole }) : whole
  }
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={t('kind')}
        data={[
          { value: '', label: t('allKinds') },
          ...creditKinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        ]}
        value={search.kind ?? ''}
        onChange={(value) => change({ kind: (value || undefined) as CreditKind | undefined })}
        style={fieldStyle}
      />
      <Select
        label={t('agent')}
        data={withUnknown(
          [{ value: '', label: t('allAgents') }, ...agents.map(({ id, name }) => ({ value: id, label: name }))],
          search.agent,
          t('goneAgent'),
        )}
        value={search.agent ?? ''}
        onChange={(value) => change({ agent: value || undefined, export: undefined })}
        searchable
        nothingFoundMessage={t('nothingFound')}
        maxDropdownHeight={listHeight}
        style={fieldStyle}
      />
      <Select
        label={t('export')}
        data={withUnknown(
          [
            { value: '', label: t('allExports') },
            ...exports.map((each) => ({ value: each.id, label: exportLabel(each) })),
          ],
          search.export,
          t('goneExport'),
        )}
        value={search.export ?? ''}
        onChange={(value) => change({ export: value || undefined })}
        searchable
        nothingFoundMessage={t('nothingFound')}
        maxDropdownHeight={listHeight}
        style={fieldStyle}
      />
      <DayField
        {...fieldStyle}
        label={t('from')}
        value={search.from}
        max={search.to}
        onChange={(from) => change({ from })}
      />
      <DayField {...fieldStyle} label={t('to')} value={search.to} min={search.from} onChange={(to) => change({ to })} />
      {isFiltered(search) && (
        <Button
          variant="default"
          onClick={() => void navigate({ search: ({ view }) => ({ view }), resetScroll: false })}
        >
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}

type Choice = { value: string; label: string }

/** Adds the value from the URL if the list lacks it: deleted, or not loaded yet. */
function withUnknown(choices: Choice[], chosen: string | undefined, label: string): Choice[] {
  return !chosen || choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label }]
}
