import classes from './Sparkline.module.css'

/** A value per interval; null where there is none, which the line passes over. */
export type Series = readonly (number | null)[]

export type SparkLabels = readonly (readonly [when: string, value: string])[]

type Props = {
  /** The period. */
  now: Series
  /** The period before it, dashed. */
  before?: Series
  /** Another line of the same period, such as a slower percentile. */
  second?: Series
  /** When each value was and how it is written, shown where the pointer is. */
  labels?: SparkLabels
  /** Whether the line shows something that went wrong. */
  bad?: boolean
  width?: number | string
  height?: number
}

const inner = 100
/** Room for the line's own thickness. */
const edge = 2

/** A small line without axes, from 0 up, next to a figure that says the same: nobody has to read it. */
export function Sparkline({ now, before, second, labels, bad, width = '100%', height = 32 }: Props) {
  const known = [now, before ?? [], second ?? []].flat().filter((value) => value !== null)
  const highest = Math.max(0, ...known)
  const y = (value: number) => (highest === 0 ? height - edge : height - edge - (value / highest) * (height - 2 * edge))
  const step = inner / Math.max(now.length - 1, 1)
  const points = (series: Series) =>
    series.flatMap((value, at) => (value === null ? [] : [[at * step, y(value)] as const]))
  const line = points(now)
  const dot = line.length === 1 || undefined
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${inner} ${height}`}
      preserveAspectRatio="none"
      style={{ width, height }}
      data-bad={bad || undefined}
      aria-hidden
    >
      <path className={classes.area} d={areaUnder(line, height)} />
      {before && <path className={classes.before} d={pathOf(points(before))} />}
      {second && <path className={classes.second} d={pathOf(points(second))} data-dot={dot} />}
      <path className={classes.now} d={pathOf(line)} data-dot={dot} />
      {labels?.map(([when, value], at) => (
        <rect key={when} className={classes.place} x={(at - 0.5) * step} width={step} height={height}>
          <title>{`${when}: ${value}`}</title>
        </rect>
      ))}
    </svg>
  )
}

type Points = readonly (readonly [x: number, y: number])[]

const steps = (points: Points) => points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')

/** A line through the points; of one, a dot. */
const pathOf = (points: Points) => (points.length === 0 ? '' : `M${steps(points)}h0`)

function areaUnder(points: Points, height: number) {
  const [first, last] = [points[0], points.at(-1)]
  return first && last ? `M${steps(points)}L${round(last[0])} ${height}L${round(first[0])} ${height}Z` : ''
}

const round = (value: number) => Math.round(value * 10) / 10
