import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { AppLink } from '@/shared/ui'
import classes from '../Conversations.module.css'
import type { Filters } from '../filters'
import { addressOf, type Hit } from '../queries'

/** A passage that matches the search, as a link to its turn. */
export function Passage({ id, opens, hit }: { id: string; opens: Filters; hit: Hit }) {
  const { t } = useTranslation('conversations')
  return (
    <AppLink
      to="/activity/conversations/$id"
      params={{ id }}
      search={{ ...opens, ...addressOf(hit) }}
      resetScroll={false}
      size="sm"
      className={classes.passage}
    >
      <span className={classes.where}>
        {t(hit.inReply ? 'inReply' : 'inMessage', { number: formatNumber(hit.number) })}
      </span>{' '}
      <bdi className="panel-user-text">
        <Excerpt {...hit} />
      </bdi>
    </AppLink>
  )
}

/** An untrusted text with the matching ranges marked. */
function Excerpt({ excerpt, ranges }: Hit) {
  const endOf = (range?: Hit['ranges'][number]) => (range ? range.start + range.length : 0)
  return (
    <>
      {ranges.map((range, at) => (
        <Fragment key={range.start}>
          {excerpt.slice(endOf(ranges[at - 1]), range.start)}
          <mark>{excerpt.slice(range.start, endOf(range))}</mark>
        </Fragment>
      ))}
      {excerpt.slice(endOf(ranges.at(-1)))}
    </>
  )
}
