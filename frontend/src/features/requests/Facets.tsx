import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { followMs, followSlowly } from '@/shared/gql'
import { formatDateRange, type Span, useNow } from '@/shared/time'
import { AppLink, showWhole } from '@/shared/ui'
import { areKept, barsOf, type Counts, countsOf, countsOfList, countsQuery, stripSpan } from './counts'
import { statusOf } from './failures'
import { type Filters, outcomes, type RequestRow } from './queries'
import classes from './Requests.module.css'
import { Strip } from './Strip'
import { useRequestSearch } from './useRequestSearch'

type Props = {
  period: Partial<Span>
  /** The messages in the list, once all of it is loaded. */
  listed?: RequestRow[]
}

/** The requests of the period over time, and by result and code with their numbers. All of it filters the list. */
export function Facets({ period, listed }: Props) {
  const { filters, part, change } = useRequestSearch()
  const now = useNow()
  const { agentId, exportId, userId = '' } = filters
  const span = stripSpan(period, now)
  const hourly = span.interval === 'HOUR'
  const range = part ?? period
  const { data } = useQuery({
    ...countsQuery({ agentId, exportId, userId: userId || undefined }, range, span),
    placeholderData: keepPreviousData,
    refetchInterval: hourly ? followMs : followSlowly,
  })
  // Usage of one user counts only the rejected requests that are still kept.
  const kept = data && (userId !== '' || areKept(range.from, data.rejectedRequestDays, now))
  // The list of all is exact. Usage still has erased messages and rejected ones that were too many to list, and has a reply's time.
  const exact = !filters.outcome && !filters.code && listed && countsOfList(listed)
  const counts = exact || (data && countsOf(data.codes, Boolean(kept)))
  return (
    <>
      <Strip
        bars={data ? barsOf(data.bars, span, period.from === undefined) : []}
        hourly={hourly}
        chosen={part}
        onChoose={({ from, to }) => change({ since: from, until: to })}
      />
      <Chips counts={counts} listed={listed?.length} hourly={hourly} />
    </>
  )
}

type ChipsProps = { counts: Counts | undefined; listed: number | undefined; hourly: boolean }

function Chips({ counts, listed, hourly }: ChipsProps) {
  const { t } = useTranslation('requests')
  const { filters, part, change } = useRequestSearch()
  const found = counts?.codes ?? []
  // A code of the address is there even if it does not occur.
  const codes =
    !filters.code || found.some(({ code }) => code === filters.code)
      ? found
      : [{ code: filters.code, failed: false, count: undefined }, ...found]
  // What a search finds is not counted.
  const number = (count: number | undefined, { outcome, code }: Filters) => {
    if (filters.search) return undefined
    return outcome === filters.outcome && code === filters.code ? (listed ?? count) : count
  }
  const chip = (to: Filters, label: string, count: number | undefined, failed = false) => (
    <Facet key={label} to={to} label={label} count={number(count, to)} failed={failed} />
  )
  return (
    <ul className={classes.facets} aria-label={t('outcome')} onFocus={showWhole}>
      {part && (
        <li>
          <UnstyledButton
            className={classes.facet}
            data-set
            onClick={() => change({ since: undefined, until: undefined })}
          >
            {formatDateRange(part, hourly)}
            <IconX size={14} aria-hidden />
            <VisuallyHidden>{t('wholePeriod')}</VisuallyHidden>
          </UnstyledButton>
        </li>
      )}
      {chip({ outcome: undefined, code: undefined }, t('all'), counts?.all)}
      {outcomes.map((outcome) => chip({ outcome, code: undefined }, t(`outcomeOf.${outcome}`), counts?.[outcome]))}
      {codes.map(({ code, failed, count }) =>
        chip({ outcome: undefined, code }, [statusOf(code), code].filter(Boolean).join(' '), count, failed),
      )}
    </ul>
  )
}

type FacetProps = { to: Filters; label: string; count?: number; failed?: boolean }

function Facet({ to, label, count, failed = false }: FacetProps) {
  return (
    <li>
      <AppLink
        to="."
        search={(old) => ({ ...old, ...to })}
        resetScroll={false}
        activeOptions={{ exact: true }}
        underline="never"
        className={classes.facet}
        data-failed={failed || undefined}
      >
        {label}
        {count !== undefined && <span className="panel-numbers">{formatNumber(count)}</span>}
      </AppLink>
    </li>
  )
}
