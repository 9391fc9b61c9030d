import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Range, ranges } from '../usage'

const route = getRouteApi('/_app/')

/** The period that is counted, kept in the URL: 24 hours unless it says otherwise. */
export function useRange(): Range {
  return route.useSearch().range ?? '24h'
}

export function RangeControl() {
  const { t } = useTranslation('home')
  const navigate = route.useNavigate()
  return (
    <SegmentedControl
      aria-label={t('period')}
      data={ranges.map((value) => ({ value, label: t(`range.${value}`) }))}
      value={useRange()}
      onChange={(value) => void navigate({ search: { range: value === '7d' ? '7d' : undefined }, replace: true })}
    />
  )
}
