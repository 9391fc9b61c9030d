import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

/** Lets a wide table scroll in its own box, by keyboard too. The table sets its minimum width: `<Table miw={560}>`. */
export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
      {children}
    </Box>
  )
}
