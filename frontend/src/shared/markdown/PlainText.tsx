import classes from './Texts.module.css'

/** Untrusted text with its line breaks, each line in its own direction; with `exact` in a font whose letters are easy to distinguish. */
export function PlainText({ text, exact = false }: { text: string; exact?: boolean }) {
  return (
    <div dir="auto" className={`panel-user-text ${classes.plain} ${exact ? classes.exact : ''}`}>
      {text}
    </div>
  )
}
