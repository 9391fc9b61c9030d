import { Box } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { CopyButton } from '@/shared/ui'
import classes from '../code.module.css'
import type { Grammar } from './snippets'

// Without its file the code has no colours.
const HighlightedCode = lazy(() =>
  import('./HighlightedCode').catch(() => ({ default: ({ code }: { code: string }) => <>{code}</> })),
)

type Props = {
  code: string
  grammar: Grammar
  /** The accessible name of the code. */
  label: string
  /** Without it, there is nothing to copy. */
  copyLabel?: string
  /** At the left of the copy button. */
  head?: ReactNode
}

/** Code with a head, which has a button to copy it. */
export function Code({ code, grammar, label, copyLabel, head }: Props) {
  const shown = useRef<HTMLElement>(null)
  return (
    <div className={classes.frame}>
      <div className={classes.head}>
        <div className={classes.heading}>{head}</div>
        {copyLabel && <CopyButton value={code} label={copyLabel} shown={shown} size="xs" />}
      </div>
      {/* Long lines scroll in their own box, by keyboard too. */}
      <Box component="section" className={classes.code} tabIndex={0} aria-label={label} translate="no">
        <pre style={{ margin: 0, font: 'inherit' }}>
          <code ref={shown} style={{ font: 'inherit' }}>
            <Suspense fallback={code}>
              <HighlightedCode code={code} grammar={grammar} />
            </Suspense>
          </code>
        </pre>
      </Box>
    </div>
  )
}
