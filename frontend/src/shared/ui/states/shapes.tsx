import classes from './Shapes.module.css'

/** A bar that stands for a word, a control or a picture. Mantine's skeleton would make every page larger. */
export const Bar = ({ height = 12, width }: { height?: number | string; width?: number }) => (
  <div className={classes.bar} style={{ height, width }} />
)

export const keys = (count: number) => [...Array(count).keys()]
export const bars = (count: number, height?: string) => keys(count).map((key) => <Bar key={key} height={height} />)

type TableProps = {
  rows?: number
  columns?: number
  /** The height of the head; 0 for a list without one. */
  head?: number
  /** Whether rows have two lines, as they always have on a phone; "mark" if they begin with the mark of an agent. */
  two?: boolean | 'mark'
  /** Whether it is already in a box. */
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

/** Lines of text. */
export const LinesShape = () => <div className={classes.lines}>{bars(3)}</div>
