import { VisuallyHidden } from '@mantine/core'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { formatDay, formatHour, formatMinute, formatShortDay, type Span } from '@/shared/time'
import type { Bar } from './counts'
import classes from './Strip.module.css'

/** The height of the highest bar, and of a part with so few requests that it would not be seen. */
const highest = 34
const lowest = 2

type Props = {
  bars: Bar[]
  hourly: boolean
  /** The part that is chosen. */
  chosen?: Span
  onChoose: (part: Span) => void
}

/** Requests over time. A click, a drag, or the arrow keys and Enter choose a part; Shift with an arrow key extends it. */
export function Strip({ bars, hourly, chosen, onChoose }: Props) {
  const { t } = useTranslation('requests')
  // The bar under the pointer or the arrow keys, and the one where a part begins.
  const [at, setAt] = useState<number>()
  const [start, setStart] = useState<number>()
  const last = bars.length - 1
  const here = Math.min(at ?? last, last)
  if (last < 0) return <div className={classes.strip} />

  const choose = (end: number) => {
    const [first, final] = [bars[Math.min(start ?? end, end)], bars[Math.max(start ?? end, end)]]
    setStart(undefined)
    if (first && final) onChoose({ from: first.from, to: final.to })
  }
  const under = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(Math.floor(((clientX - left) / width) * bars.length), last))
  }
  const onKeyDown = ({ key, shiftKey }: KeyboardEvent) => {
    if (key === 'Enter') choose(here)
    if (key === 'Escape') setStart(undefined)
    if (key.startsWith('Arrow') || key === 'Home' || key === 'End') setStart(shiftKey ? (start ?? here) : undefined)
  }
  const isOut = ({ from, to }: Bar, place: number) => {
    if (start !== undefined) return place < Math.min(start, here) || place > Math.max(start, here)
    return chosen !== undefined && (to <= chosen.from || from >= chosen.to)
  }
  const textOf = ({ from, answered, failed, rejected }: Bar) =>
    t('stripBar', {
      time: hourly ? formatMinute(from) : formatDay(from),
      answered: formatNumber(answered),
      failed: formatNumber(failed),
      rejected: formatNumber(rejected),
    })
  const most = Math.max(...bars.map(({ answered, failed, rejected }) => answered + failed + rejected), 1)
  const shown = at === undefined ? undefined : bars[here]
  return (
    <>
      <div
        className={classes.strip}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setAt(under(event))
          setStart(under(event))
        }}
        onPointerMove={(event) => setAt(under(event))}
        onPointerUp={(event) => start !== undefined && choose(under(event))}
        onPointerCancel={() => setStart(undefined)}
        onPointerLeave={() => setAt(undefined)}
      >
        <input
          type="range"
          className={classes.keys}
          aria-label={t('strip')}
          aria-valuetext={bars[here] && textOf(bars[here])}
          min={0}
          max={last}
          value={here}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setAt(undefined)
            setStart(undefined)
          }}
        />
        <div className={classes.bars} aria-hidden>
          {bars.map((bar, place) => (
            <span
              key={bar.from}
              className={classes.bar}
              style={heightsOf(bar, most)}
              data-out={isOut(bar, place) || undefined}
              data-here={(at !== undefined && place === here) || undefined}
            />
          ))}
        </div>
        <div className={classes.foot} aria-hidden>
          {shown ? <span>{textOf(shown)}</span> : <Labels bars={bars} hourly={hourly} />}
        </div>
      </div>
      <StripTable bars={bars} hourly={hourly} />
    </>
  )
}

/** The heights of a bar's parts. */
function heightsOf({ answered, failed, rejected }: Bar, most: number) {
  const height = (count: number) => `${count && Math.max((count / most) * highest, lowest)}px`
  return { '--answered': height(answered), '--failed': height(failed), '--rejected': height(rejected) } as CSSProperties
}

/** Names of some bars: of days, or of hours where there are few days. */
function Labels({ bars, hourly }: Pick<Props, 'bars' | 'hourly'>) {
  const ofHours = hourly && bars.length <= 50
  const every = hourly ? 6 : Math.ceil(bars.length / 7)
  const named = bars.flatMap(({ from }, place) => {
    const hour = new Date(from).getHours()
    const isNamed = hourly ? hour % (ofHours ? every : 24) === 0 : place % every === 0
    return isNamed ? [{ place, name: ofHours && hour > 0 ? formatHour(from) : formatShortDay(from) }] : []
  })
  return named.map(({ place, name }) => (
    <span key={place} style={{ '--at': place / bars.length } as CSSProperties}>
      {name}
    </span>
  ))
}

/** The bars for readers of screens, without the empty ones. */
function StripTable({ bars, hourly }: Pick<Props, 'bars' | 'hourly'>) {
  const { t } = useTranslation('requests')
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>{t('strip')}</caption>
        <thead>
          <tr>
            {[t('time'), t('outcomeOf.ANSWERED'), t('outcomeOf.FAILED'), t('outcomeOf.REFUSED')].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ answered, failed, rejected }) => answered + failed + rejected > 0)
            .map(({ from, answered, failed, rejected }) => (
              <tr key={from}>
                <td>{hourly ? formatMinute(from) : formatDay(from)}</td>
                <td>{formatNumber(answered)}</td>
                <td>{formatNumber(failed)}</td>
                <td>{formatNumber(rejected)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
