import { Button, Checkbox, Group, SegmentedControl, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField, TypedFilter } from '@/shared/ui'
import { type Filters, isBackward } from '../days'

const dayWidth = '0 1 150px'

type Props = {
  filters: Filters
  /** Puts a part of the filters into the URL, as a history entry of its own unless it replaces the last one. */
  onChange: (part: Filters, replace?: boolean) => void
  onClear: () => void
  /** More filters, after the text fields. */
  children?: ReactNode
}

/** Session ID, words, end user, source, failures and days, all kept in the URL. */
export function ConversationFilters({ filters, onChange, onClear, children }: Props) {
  const { t } = useTranslation('conversations')
  const typed = (name: 'search' | 'text' | 'userId') => (value: string | undefined, replace: boolean) =>
    onChange({ [name]: value }, replace)
  return (
    <Stack gap="xs" role="search">
      <Group gap="xs" align="flex-end">
        <TypedFilter
          label={t('label')}
          placeholder={t('labelPart')}
          value={filters.search}
          apply={typed('search')}
          isListSearch
        />
        <TypedFilter label={t('text')} placeholder={t('textPart')} value={filters.text} apply={typed('text')} />
        <TypedFilter
          label={t('userId')}
          placeholder={t('userIdExact')}
          value={filters.userId}
          apply={typed('userId')}
        />
        {children}
      </Group>
      <Group gap="xs" align="flex-end">
        <SegmentedControl
          aria-label={t('source')}
          data={[
            { value: '', label: t('allSources') },
            { value: 'API', label: t('sources.API') },
            { value: 'PLAYGROUND', label: t('sources.PLAYGROUND') },
          ]}
          value={filters.source ?? ''}
          onChange={(value) => onChange({ source: (value || undefined) as Filters['source'] })}
        />
        <DayField
          flex={dayWidth}
          label={t('from')}
          value={filters.from}
          max={filters.to}
          onChange={(from) => onChange({ from })}
        />
        <DayField
          flex={dayWidth}
          label={t('to')}
          value={filters.to}
          min={filters.from}
          error={isBackward(filters) ? t('backward') : undefined}
          onChange={(to) => onChange({ to })}
        />
        <Checkbox
          label={t('onlyFailed')}
          checked={filters.failed ?? false}
          onChange={({ currentTarget }) => onChange({ failed: currentTarget.checked || undefined })}
          mb={8}
        />
        {Object.values(filters).some(Boolean) && (
          <Button variant="default" onClick={onClear}>
            {t('clearFilters')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
