import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Bar, ChartShape, TableShape } from '@/shared/ui'
import classes from './Export.module.css'

/** One export while it loads: its keys and limits, its use and its requests. */
export const ExportShape = () => (
  <div className={classes.columns}>
    <Stack gap="lg">
      <Titled>
        <TableShape head={0} rows={2} columns={3} />
      </Titled>
      <Titled>
        <TableShape head={0} rows={6} columns={1} />
      </Titled>
    </Stack>
    <Stack gap="lg">
      <Titled>
        <Paper>
          <ChartShape height={144} />
        </Paper>
      </Titled>
      <Titled>
        <TableShape rows={8} />
      </Titled>
    </Stack>
  </div>
)

const Titled = ({ children }: { children: ReactNode }) => (
  <Stack gap="md" pt="xs">
    <Bar height={16} width={120} />
    {children}
  </Stack>
)
