import { Anchor, Code } from '@mantine/core'
import { type ComponentProps, createContext, type ReactElement, type ReactNode, useContext, useId } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { asWritten, citedNumber, direct, linkNumbers } from './asWritten'
import classes from './Markdown.module.css'

const filled: NonNullable<Options['remarkPlugins']> = [[remarkGfm, { singleTilde: false }]] // a range is "5~10"
const written: NonNullable<Options['remarkPlugins']> = [...filled, asWritten]
const directed: Options['rehypePlugins'] = [direct]

// Models' text is not trusted: no HTML, no images (they would make requests), no headings that disturb the page's outline, and
// no referrer in links. What is within a line is isolated, so that it does not turn what follows.
const components: Components = {
  a: Link,
  img: ({ alt }) => <bdi>{alt}</bdi>,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  pre: Block,
  table: ({ children, dir }) => (
    <Block>
      <table dir={dir}>{children}</table>
    </Block>
  ),
  code: ({ children, className }) =>
    className ? (
      <code translate="no">{children}</code>
    ) : (
      <Code dir="auto" className={classes.code}>
        {children}
      </Code>
    ),
}

/** Returns the link of a number in brackets; undefined for one that leads nowhere. */
export type Cite = (number: number) => ReactElement | undefined

const BlockLabel = createContext('')
const Citing = createContext<Cite | undefined>(undefined)

type Props = { text: string; blockLabel: string; lineBreaks: boolean; cite?: Cite }

/** Untrusted Markdown. `blockLabel` names the scrolling boxes of code and tables; `cite` makes links of numbers like [1]. */
export default function Markdown({ text, blockLabel, lineBreaks, cite }: Props) {
  const id = useId()
  const plugins = lineBreaks ? written : filled
  return (
    <div className={`panel-user-text ${classes.markdown}`}>
      <BlockLabel value={blockLabel}>
        <Citing value={cite}>
          <ReactMarkdown
            remarkPlugins={cite ? [...plugins, linkNumbers] : plugins}
            rehypePlugins={directed}
            remarkRehypeOptions={{ clobberPrefix: id }} // footnotes of two texts must not share ids
            components={components}
          >
            {text}
          </ReactMarkdown>
        </Citing>
      </BlockLabel>
    </div>
  )
}

function Link({ href = '', children }: ComponentProps<'a'>) {
  const cite = useContext(Citing)
  const number = citedNumber(href)
  if (number !== undefined) return cite?.(number) ?? <bdi>{children}</bdi>
  if (!/^(https?|mailto):/i.test(href)) return <bdi>{children}</bdi>
  return (
    <Anchor href={href} dir="auto" target="_blank" rel="noreferrer noopener nofollow" inherit underline="always">
      {children}
    </Anchor>
  )
}

type BlockProps = { dir?: string; children?: ReactNode }

function Heading({ dir, children }: BlockProps) {
  return (
    <p dir={dir}>
      <strong>{children}</strong>
    </p>
  )
}

/** Wide content scrolls in its own box, by keyboard too. */
function Block({ dir, children }: BlockProps) {
  const label = useContext(BlockLabel)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={classes.block} dir={dir} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
