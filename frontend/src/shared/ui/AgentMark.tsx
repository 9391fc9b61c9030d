import classes from './AgentMark.module.css'
import { markOf } from './mark'

/** An agent's mark, by which its rows are told apart. It stands beside the agent's name, so that nobody has to read it. */
export function AgentMark({ id }: { id: string }) {
  const { letters, hue } = markOf(id)
  return (
    <span className={classes.mark} data-hue={hue} aria-hidden>
      {letters}
    </span>
  )
}
