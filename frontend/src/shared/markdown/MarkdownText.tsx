import { Box } from '@mantine/core'
import { Component, lazy, type ReactNode, Suspense } from 'react'

const Markdown = lazy(() => import('./Markdown'))

/** Longer texts, in UTF-16 units, are shown as plain text: parsing hostile Markdown takes quadratic time. */
const longest = 10_000

/** Nobody writes this many levels of quotes or lists in one line; parsing them would exhaust the stack. */
const absurd = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){50}/m

/**
 * Untrusted Markdown, without HTML and images. The parser is loaded on first use; until then, and whenever the text cannot be
 * parsed, it is shown as plain text. `blockLabel` names the boxes of code and tables.
 */
export function MarkdownText({ text, blockLabel }: { text: string; blockLabel: string }) {
  const plain = (
    <Box className="panel-user-text" style={{ whiteSpace: 'pre-wrap' }}>
      {text}
    </Box>
  )
  if (text.length > longest || absurd.test(text)) return plain
  return (
    <Fallback key={text} instead={plain}>
      <Suspense fallback={plain}>
        <Markdown text={text} blockLabel={blockLabel} />
      </Suspense>
    </Fallback>
  )
}

class Fallback extends Component<{ instead: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
