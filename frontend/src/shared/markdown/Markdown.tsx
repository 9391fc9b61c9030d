import { Anchor, Code } from '@mantine/core'
import { createContext, type ReactNode, useContext, useId } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import classes from './Markdown.module.css'

const plugins = [remarkGfm]

// Models' text is not trusted: no HTML, no images (they would make requests), no headings that disturb the page's outline, and
// no referrer in links.
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

/** Untrusted Markdown. `blockLabel` names the scrolling boxes of code and tables. */
export default function Markdown({ text, blockLabel }: { text: string; blockLabel: string }) {
  const id = useId()
  return (
    <div className={`panel-user-text ${classes.markdown}`}>
      <BlockLabel value={blockLabel}>
        <ReactMarkdown
          remarkPlugins={plugins}
          remarkRehypeOptions={{ clobberPrefix: id }} // footnotes of two texts must not share ids
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

/** Wide content scrolls in its own box, by keyboard too. */
function Block({ children }: { children?: ReactNode }) {
  const label = useContext(BlockLabel)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={classes.block} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
