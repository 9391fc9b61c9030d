import { Box } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { Bar, FiguresShape, TableShape } from './shapes'
import { LoadingState } from './states'

/** A page whose files still load, which happens only when the panel opens: its head and rows, and on Home its figures. */
export function PageSkeleton() {
  const home = useLocation({ select: ({ pathname }) => pathname === '/' })
  return (
    <Box maw={1200} mx="auto">
      <LoadingState>
        <Bar height={28} width={200} />
        {home && <FiguresShape height={124} />}
        <TableShape rows={10} />
      </LoadingState>
    </Box>
  )
}
