import { Anchor, Code } from '@mantine/core'
import { createContext, type ReactNode, useContext, useId } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import classes from './Markdown.module.css'

const plugins = [remarkGfm]

// A model's text is a stranger's: no HTML, no image (it would call out), no heading that disturbs the page's outline, and
// links that say nothing of where they were clicked.
const components: Components = {
  a: ({ href, children }) =>
    href && /^(https?|mailto):/i.test(href) ? (
      <Anchor href={href} target="_blank" rel="noreferrer noopener nofollow" inherit underline="always">
        {children}
      </Anchor>
    ) : (
      <span>{children}</span>
    ),
  img: ({ alt }) => <span>{alt}</span>,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  pre: Block,
  table: ({ children }) => (
    <Block>
      <table>{children}</table>
    </Block>
  ),
  code: ({ children, className }) =>
    className ? <code>{children}</code> : <Code className={classes.code}>{children}</Code>,
}

const BlockLabel = createContext('')

/** A stranger's text as markdown. `blockLabel` names the boxes of code and tables, which scroll by themselves. */
export default function Markdown({ text, blockLabel }: { text: string; blockLabel: string }) {
  const id = useId()
  return (
    <div className={`panel-user-text ${classes.markdown}`}>
      <BlockLabel value={blockLabel}>
        <ReactMarkdown
          remarkPlugins={plugins}
          remarkRehypeOptions={{ clobberPrefix: id }} // footnotes of two texts must not share their ids
          components={components}
        >
          {text}
        </ReactMarkdown>
      </BlockLabel>
    </div>
  )
}

function Heading({ children }: { children?: ReactNode }) {
  return (
    <p>
      <strong>{children}</strong>
    </p>
  )
}

/** What may be wider than the text scrolls in a box of its own, by keyboard too. */
function Block({ children }: { children?: ReactNode }) {
  const label = useContext(BlockLabel)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.block} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
