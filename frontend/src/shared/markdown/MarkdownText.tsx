import { Component, lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { Cite } from './Markdown'
import { PlainText } from './PlainText'
import { partsOf } from './parts'

const Markdown = lazy(() => import('./Markdown'))

type Props = {
  text: string
  /** Names the boxes of code and tables. */
  blockLabel: string
  /** Whether line breaks stay, as in what people write. Without, lines are filled anew. */
  lineBreaks?: boolean
  /** Makes links of numbers in brackets. */
  cite?: Cite
}

/**
 * Untrusted Markdown, without HTML and images. The parser is loaded on first use; until then, and whenever the text cannot be
 * parsed, it is shown as plain text.
 */
export function MarkdownText({ text, blockLabel, lineBreaks = false, cite }: Props) {
  const parts = useMemo(() => partsOf(text), [text])
  const plain = <PlainText text={text} />
  if (!parts) return plain
  return (
    <Fallback key={text} instead={plain}>
      <Suspense fallback={plain}>
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
          <Markdown key={at} text={part} blockLabel={blockLabel} lineBreaks={lineBreaks} cite={cite} />
        ))}
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
