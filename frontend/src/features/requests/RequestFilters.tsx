import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useTypedFilter } from '@/shared/ui'
import { type Filters, outcomes } from './queries'

const route = getRouteApi('/_app/requests')
const longestId = 255

/** Request or session ID, outcome and code, all kept in the URL. */
export function RequestFilters() {
  const { t } = useTranslation('requests')
  const { id: _, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Group gap="xs" align="flex-end" role="search">
      <TextFilter name="search" label={t('search')} placeholder={t('searchPart')} />
      <TextFilter name="code" label={t('code')} placeholder="rate_limited" />
      <SegmentedControl
        aria-label={t('outcome')}
        data={[{ value: '', label: t('all') }, ...outcomes.map((value) => ({ value, label: t(`outcomeOf.${value}`) }))]}
        value={filters.outcome ?? ''}
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, outcome: (value || undefined) as Filters['outcome'] }) })
        }
      />
      {Object.values(filters).some(Boolean) && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}

type TextProps = { name: 'search' | 'code'; label: string; placeholder: string }

function TextFilter({ name, label, placeholder }: TextProps) {
  const value = route.useSearch()[name] ?? ''
  const navigate = route.useNavigate()
  const field = useTypedFilter(
    value,
    (typed, replace) => void navigate({ search: (old) => ({ ...old, [name]: typed }), replace }),
  )
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      type="search"
      maxLength={longestId}
      leftSection={name === 'search' ? <IconSearch size={16} aria-hidden /> : undefined}
      {...field}
      style={{ flex: '1 1 180px', maxWidth: name === 'search' ? 360 : 220 }}
    />
  )
}
