import classes from './AgentMark.module.css'
import { markOf } from './mark'

/** The mark of an agent, or of an account, by which it is told apart from others. It stands beside the name, so that nobody has to read it. */
export function AgentMark({ name }: { name: string }) {
  const { letter, hue } = markOf(name)
  return (
    <span className={classes.mark} data-hue={hue} aria-hidden>
      {letter}
    </span>
  )
}
