import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DayField, useTypedFilter } from '@/shared/ui'
import { type Filters, isBackward } from './days'

const route = getRouteApi('/_app/agents/$id/conversations')
const dayWidth = '0 1 150px'
const longestId = 255

/** Session ID, end user, source and days, all kept in the URL. */
export function ConversationFilters() {
  const { t } = useTranslation('conversations')
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Filters) => void navigate({ search: (old) => ({ ...old, ...part }) })
  return (
    <Group gap="xs" align="flex-end" role="search">
      <TextFilter name="search" label={t('label')} placeholder={t('labelPart')} />
      <TextFilter name="userId" label={t('userId')} placeholder={t('userIdExact')} />
      <SegmentedControl
        aria-label={t('source')}
        data={[
          { value: '', label: t('allSources') },
          { value: 'API', label: t('sources.API') },
          { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
        ]}
        value={filters.source ?? ''}
        onChange={(value) => change({ source: (value || undefined) as Filters['source'] })}
      />
      <DayField
        flex={dayWidth}
        label={t('from')}
        value={filters.from}
        max={filters.to}
        onChange={(from) => change({ from })}
      />
      <DayField
        flex={dayWidth}
        label={t('to')}
        value={filters.to}
        min={filters.from}
        error={isBackward(filters) ? t('backward') : undefined}
        onChange={(to) => change({ to })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
  )
}

type TextProps = { name: 'search' | 'userId'; label: string; placeholder: string }

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
      leftSection={<IconSearch size={16} aria-hidden />}
      {...field}
      style={{ flex: '1 1 180px', maxWidth: 320 }}
    />
  )
}
