import { Box } from '@mantine/core'
import { Component, lazy, type ReactNode, Suspense } from 'react'

const Markdown = lazy(() => import('./Markdown'))

/** A longer text, in UTF-16 units, is shown as it is: the time to read a hostile one as markdown grows with its square. */
const longest = 10_000

/** So many levels of quotes or lists in one line are nobody's writing, and would exhaust the stack. */
const absurd = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){50}/m

/**
 * A stranger's text as markdown, without HTML and without images. The reader's chunk is loaded at the first use; until then, and
 * whenever the text cannot be read as markdown, it stands there as it is. `blockLabel` names the boxes of code and tables.
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
