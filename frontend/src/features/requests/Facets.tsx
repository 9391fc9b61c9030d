import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { followMs, followSlowly } from '@/shared/gql'
import { formatDateRange, type Span, useNow } from '@/shared/time'
import { AppLink, showWhole } from '@/shared/ui'
import { areKept, barsOf, type Counts, countsOf, countsQuery, stripSpan } from './counts'
import { statusOf } from './failures'
import { type Filters, outcomes } from './queries'
import classes from './Requests.module.css'
import { Strip } from './Strip'
import { useRequestSearch } from './useRequestSearch'

/** The requests of the period over time, and by result and code with their numbers. All of it filters the list. */
export function Facets({ period }: { period: Partial<Span> }) {
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
  // The rejected requests of one user are counted as they are kept.
  const kept = data && (userId !== '' || areKept(range.from, data.rejectedRequestDays, now))
  const counts = data && countsOf(data.codes, Boolean(kept))
  return (
    <>
      <Strip
        bars={data ? barsOf(data.bars, span, period.from === undefined) : []}
        hourly={hourly}
        chosen={part}
        onChoose={({ from, to }) => change({ since: from, until: to })}
      />
      <Chips counts={counts} hourly={hourly} />
    </>
  )
}

function Chips({ counts, hourly }: { counts: Counts | undefined; hourly: boolean }) {
  const { t } = useTranslation('requests')
  const { filters, part, change } = useRequestSearch()
  const found = counts?.codes ?? []
  // A code of the address is there even if it does not occur.
  const codes =
    !filters.code || found.some(({ code }) => code === filters.code)
      ? found
      : [{ code: filters.code, failed: false, count: undefined }, ...found]
  // What a search finds is not counted.
  const number = (count: number | undefined) => (filters.search ? undefined : count)
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
      <Facet to={{ outcome: undefined, code: undefined }} label={t('all')} count={number(counts?.all)} />
      {outcomes.map((outcome) => (
        <Facet
          key={outcome}
          to={{ outcome, code: undefined }}
          label={t(`outcomeOf.${outcome}`)}
          count={number(counts?.[outcome])}
        />
      ))}
      {codes.map(({ code, failed, count }) => (
        <Facet
          key={code}
          to={{ outcome: undefined, code }}
          label={[statusOf(code), code].filter(Boolean).join(' ')}
          count={number(count)}
          failed={failed}
        />
      ))}
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
