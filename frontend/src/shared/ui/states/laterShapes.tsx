import classes from './LaterShapes.module.css'
import { Bar, bars, keys } from './shapes'

// Not in shapes.tsx, which belongs to the first scripts: only later pages need these.

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
