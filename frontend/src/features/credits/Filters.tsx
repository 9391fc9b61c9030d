import { Button, Group, Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentFilter, ExportFilter } from '@/features/choices'
import type { CreditKind } from '@/gql/graphql'
import { DayField } from '@/shared/ui'
import { type CreditSearch, creditKinds, isFiltered } from './filter'

const route = getRouteApi('/_app/credits')
const fieldStyle = { flex: '1 1 150px', maxWidth: 240 }

/** Kind, agent, export and days, all kept in the URL. */
export function Filters() {
  const { t } = useTranslation('credits')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changed: CreditSearch) =>
    void navigate({ search: (old) => ({ ...old, ...changed }), resetScroll: false })
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
      <AgentFilter value={search.agent} onChange={(agent) => change({ agent, export: undefined })} />
      <ExportFilter agent={search.agent} value={search.export} onChange={(exported) => change({ export: exported })} />
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
