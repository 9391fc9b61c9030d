import { lazy, type MouseEvent, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime, formatRelative } from './format'
import { useNow } from './useNow'

// Without its file there is no tooltip.
const ExactTime = lazy(() => import('./ExactTime').catch(() => ({ default: () => <></> })))

/** In a row that is a link, the time lies above the link for its tooltip; a click on it opens the row all the same. */
function openRow({ currentTarget }: MouseEvent<HTMLElement>) {
  currentTarget.closest('.panel-row')?.querySelector<HTMLElement>('.panel-row-link')?.click()
}

type Props = {
  time: string | null | undefined
  none?: string
  /** Whether the time may lie ahead. What has happened is never shown as to come, whatever the clocks say. */
  mayLieAhead?: boolean
  /** For columns: "3 min. ago". */
  short?: boolean
}

/** A time as "3 minutes ago", with the exact time in a tooltip. `null` is "Never", or `none`. */
export function RelativeTime({ time, none, mayLieAhead = false, short }: Props) {
  const { t } = useTranslation()
  const now = useNow()
  const shown = useRef<HTMLTimeElement>(null)
  const [hovered, setHovered] = useState(false)
  if (!time) return <span>{none ?? t('time.never')}</span>
  const moment = Date.parse(time)
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the row's link itself */}
      <time
        ref={shown}
        dateTime={time}
        onClick={openRow}
        onMouseEnter={() => setHovered(true)}
        onMouseLeave={() => setHovered(false)}
      >
        {formatRelative(mayLieAhead ? moment : Math.min(moment, now), now, short ? 'short' : undefined)}
      </time>
      {hovered && (
        <Suspense fallback={null}>
          <ExactTime text={formatDateTime(moment)} target={shown} />
        </Suspense>
      )}
    </>
  )
}
