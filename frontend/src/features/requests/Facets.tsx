import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { followSlowly } from '@/shared/gql'
import { AppLink, showWhole } from '@/shared/ui'
import { type ErrorGroup, errorsQuery, statusOf } from './failures'
import { type Filters, outcomes } from './queries'
import classes from './Requests.module.css'
import { useRequestSearch } from './useRequestSearch'

/** Before the service was. */
const ever = '2020-01-01T00:00:00Z'
/** After whatever happens. */
const later = '2100-01-01T00:00:00Z'

/** How requests ended, and the errors by code with how often each came: every one is a filter of the list. */
export function Facets() {
  const { t } = useTranslation('requests')
  const { filters, days } = useRequestSearch()
  const { agentId, exportId, userId } = filters
  const errors = useQuery({
    ...errorsQuery({ from: days?.from ?? ever, to: days?.to ?? later, agentId, exportId, userId }),
    // What is looked for by its ID is not counted.
    enabled: days !== undefined && !filters.search,
    refetchInterval: followSlowly,
  })
  const groups = (!filters.search && errors.data) || []
  // A code of the address is there even if it does not occur.
  const codes =
    groups.some(({ code }) => code === filters.code) || !filters.code ? groups : [noneOf(filters.code), ...groups]
  const total = { ANSWERED: undefined, FAILED: sum(groups, 'failed'), REFUSED: sum(groups, 'refused') }
  return (
    <ul className={classes.facets} aria-label={t('outcome')} onFocus={showWhole}>
      <Facet to={{ outcome: undefined, code: undefined }} label={t('all')} />
      {outcomes.map((outcome) => (
        <Facet
          key={outcome}
          to={{ outcome, code: undefined }}
          label={t(`outcomeOf.${outcome}`)}
          count={total[outcome]}
        />
      ))}
      {codes.map(({ code, failed, refused }) => (
        <Facet
          key={code}
          to={{ outcome: undefined, code }}
          label={[statusOf(code), code].filter(Boolean).join(' ')}
          count={failed + refused}
          failed={failed > 0}
        />
      ))}
    </ul>
  )
}

const noneOf = (code: string): ErrorGroup => ({ code, failed: 0, refused: 0 })

const sum = (groups: ErrorGroup[], of: 'failed' | 'refused') => groups.reduce((all, group) => all + group[of], 0)

type FacetProps = { to: Filters; label: string; count?: number; failed?: boolean }

function Facet({ to, label, count = 0, failed = false }: FacetProps) {
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
        {count > 0 && <span className="panel-numbers">{formatNumber(count)}</span>}
      </AppLink>
    </li>
  )
}
