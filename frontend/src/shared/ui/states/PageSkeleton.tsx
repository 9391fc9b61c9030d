import { Box } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { Bar, FiguresShape, TableShape } from './shapes'
import { LoadingState } from './states'

/** A page before its files are there, which is only so when the panel opens: its head and rows, on Home also its figures. */
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
