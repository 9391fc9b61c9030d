import classes from './AgentMark.module.css'
import { markOf } from './mark'

/** An agent's mark, by which its rows are told apart. It stands beside the agent's name, so that nobody has to read it. */
export function AgentMark({ name }: { name: string }) {
  const { letter, hue } = markOf(name)
  return (
    <span className={classes.mark} data-hue={hue} aria-hidden>
      {letter}
    </span>
  )
}
