import { Box, Group, Skeleton, Stack } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

const figures = { cols: 'repeat(auto-fit, minmax(180px, 1fr))', heights: [104, 104, 104, 104] }
const halves = { cols: 'repeat(auto-fit, minmax(320px, 1fr))', heights: [320, 320] }

/** The page at an address, before its files are there: its head, and boxes where it has them, or filters and rows. After 150 ms. */
export function PageSkeleton() {
  const { t } = useTranslation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <Stack gap="md" maw={1200} mx="auto" className="panel-late" role="status" aria-label={t('loading')}>
      <Skeleton height={28} width={200} my={10} />
      {path === '/' ? (
        <>
          <Boxes {...figures} />
          <Boxes {...halves} />
        </>
      ) : /^\/(settings|developers|usage)/.test(path) ? (
        <Rows count={4} height={120} />
      ) : /\/[0-9a-f-]{36}$/.test(path) ? (
        <>
          <Filters count={4} />
          <Boxes {...halves} />
        </>
      ) : (
        <>
          <Filters count={3} />
          <Rows count={10} height={40} />
        </>
      )}
    </Stack>
  )
}

const keys = (count: number) => Array.from({ length: count }, (_, key) => key)

const Boxes = ({ cols, heights }: typeof figures) => (
  <Box display="grid" style={{ gridTemplateColumns: cols, gap: 16 }}>
    {keys(heights.length).map((key) => (
      <Skeleton key={key} height={heights[key]} />
    ))}
  </Box>
)

const Filters = ({ count }: { count: number }) => (
  <Group gap="xs">
    {keys(count).map((key) => (
      <Skeleton key={key} height={32} width={160} />
    ))}
  </Group>
)

const Rows = ({ count, height }: { count: number; height: number }) => (
  <Stack gap="xs">
    {keys(count).map((key) => (
      <Skeleton key={key} height={height} />
    ))}
  </Stack>
)
