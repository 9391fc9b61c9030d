import { Box, Group, Stack } from '@mantine/core'
import { lazy, Suspense, useRef } from 'react'
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
  copyLabel: string
}

/** Code with a button that copies it. */
export function Code({ code, grammar, label, copyLabel }: Props) {
  const shown = useRef<HTMLElement>(null)
  return (
    <Stack gap="xs">
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
      <Group>
        <CopyButton value={code} label={copyLabel} shown={shown} size="xs" />
      </Group>
    </Stack>
  )
}
