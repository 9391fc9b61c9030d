import type { ReactNode } from 'react'
import classes from './Shapes.module.css'

/** A bar that stands for a word, a control or a picture. Mantine's would be too large a part of every page. */
export const Bar = ({ height = 12, width }: { height?: number | string; width?: number }) => (
  <div className={classes.bar} style={{ height, width }} />
)

const keys = (count: number) => [...Array(count).keys()]
const bars = (count: number, height?: string) => keys(count).map((key) => <Bar key={key} height={height} />)

type TableProps = {
  rows?: number
  columns?: number
  /** The height of the head; 0 for a list without one. */
  head?: number
  /** Whether rows have two lines, as all have on a phone. */
  two?: boolean
  /** Whether it stands in a box already. */
  bare?: boolean
}

/** A table or a list, with the heights of the kit's rows. */
export const TableShape = ({ rows = 6, columns = 4, head = 32, two, bare }: TableProps) => (
  <div className={`${bare ? '' : 'panel-box '}${classes.table}`} data-two={two}>
    {head > 0 && (
      <div className={classes.head} style={{ height: head }}>
        {bars(columns)}
      </div>
    )}
    {keys(rows).map((row) => (
      <div key={row} className={classes.row}>
        <div className={classes.lines}>{bars(2)}</div>
        {bars(columns - 1)}
      </div>
    ))}
  </div>
)

/** Fields with their labels, and the button that saves them. */
export const FormShape = ({ fields = 1 }: { fields?: number }) => (
  <div className={classes.form}>
    {keys(fields).map((field) => (
      <div key={field} className={classes.lines}>
        <Bar width={96} />
        <Bar height={32} />
      </div>
    ))}
    <Bar height={32} width={88} />
  </div>
)

/** Figures in a row, two in a row on a phone. */
export const FiguresShape = ({ count = 4, height }: { count?: number; height: number }) => (
  <div className={`panel-box ${classes.figures}`}>
    {keys(count).map((figure) => (
      <div key={figure} style={{ height }}>
        <Bar width={80} />
        <Bar height={24} width={64} />
      </div>
    ))}
  </div>
)

/** The bars of a chart. */
export const ChartShape = ({ height = 220 }: { height?: number }) => (
  <div className={classes.chart} style={{ height }}>
    {bars(14, '')}
  </div>
)

/** Messages at the right and their replies at the left. */
export const ChatShape = ({ turns = 3 }: { turns?: number }) => (
  <div className={classes.chat}>{bars(2 * turns, '')}</div>
)

/** Lines of text. */
export const LinesShape = () => <div className={classes.lines}>{bars(3)}</div>

/** Two halves of a page, one below the other where it is narrow; with `aside`, the second is as wide as Try. */
export const HalvesShape = ({ children, aside }: { children: ReactNode; aside?: boolean }) => (
  <div className={classes.halves} data-aside={aside}>
    {children}
  </div>
)
