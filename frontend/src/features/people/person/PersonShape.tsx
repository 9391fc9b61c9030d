import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Bar, ChartShape, FiguresShape, FormShape, TableShape } from '@/shared/ui'
import classes from '../People.module.css'

/** A user while it loads: figures, days and conversations, with the limit and the facts next to them. */
export const PersonShape = () => (
  <Stack gap="lg">
    <FiguresShape count={3} height={84} />
    <ChartShape height={56} />
    <div className={classes.columns}>
      <Titled>
        <TableShape two />
      </Titled>
      <div className={classes.column}>
        <Titled>
          <Paper p="md" h={195}>
            <FormShape />
          </Paper>
        </Titled>
        <Titled>
          <TableShape head={0} rows={4} columns={2} />
        </Titled>
      </div>
    </div>
  </Stack>
)

const Titled = ({ children }: { children: ReactNode }) => (
  <Stack gap="xs">
    <Bar height={20} width={120} />
    {children}
  </Stack>
)
