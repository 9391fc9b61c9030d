import { Box, Stack } from '@mantine/core'
import { Bar, ChatShape, TableShape } from '@/shared/ui'
import classes from './BuildShape.module.css'

/** Build while it loads: the sections, and Try next to them. */
export const BuildShape = () => (
  <>
    <Box hiddenFrom="md">
      <Bar height={32} />
    </Box>
    <div className={classes.columns}>
      <Box className="panel-box">
        <Stack p="md">
          <Bar width={120} />
          <Bar height={200} />
        </Stack>
        <TableShape bare head={0} rows={6} columns={1} />
      </Box>
      <Box className="panel-box" p="md" mih={480} visibleFrom="md">
        <ChatShape turns={2} />
      </Box>
    </div>
  </>
)
