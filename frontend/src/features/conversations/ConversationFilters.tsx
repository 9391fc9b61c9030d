import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Filters, isBackward } from './days'

const route = getRouteApi('/_app/agents/$id/conversations')
const searchAfterMs = 250
const longestLabel = 255

/** Label, source and days, all in the address. */
export function ConversationFilters() {
  const { t } = useTranslation('conversations')
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Filters) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true })
  return (
    <Group gap="xs" align="flex-end" role="search">
      <LabelSearch />
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
      <Day label={t('from')} value={filters.from} max={filters.to} onChange={(from) => change({ from })} />
      <Day
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

/** Typing changes the address a moment later, without a history entry per letter. */
function LabelSearch() {
  const { t } = useTranslation('conversations')
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  const apply = useDebouncedCallback((value: string) => {
    sent.current = value
    void navigate({ search: (old) => ({ ...old, search: value || undefined }), replace: true })
  }, searchAfterMs)
  useEffect(() => {
    // The address changed by other hands: Back, a link, or "Clear filters".
    if (search !== sent.current) {
      sent.current = search
      setTyped(search)
    }
  }, [search])
  return (
    <TextInput
      label={t('label')}
      placeholder={t('labelPart')}
      type="search"
      maxLength={longestLabel}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        apply(event.currentTarget.value.trim())
      }}
      style={{ flex: '1 1 200px', maxWidth: 320 }}
    />
  )
}

type DayProps = {
  label: string
  value: string | undefined
  min?: string
  max?: string
  error?: string
  onChange: (day: string | undefined) => void
}

/** A day by the browser's own picker. A date half typed has no value yet, and changes nothing. */
function Day({ label, value = '', onChange, ...rest }: DayProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      onChange={(event) => {
        const { value: day, validity } = event.currentTarget
        if (validity.badInput) return
        setTyped(day)
        // While the year is typed, its first digits are a year already: 0002 on the way to 2026.
        if (day === '' || day >= '1000') onChange(day || undefined)
      }}
      style={{ flex: '0 1 150px' }}
      {...rest}
    />
  )
}
