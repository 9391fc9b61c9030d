import { Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {name}
      </Title>
      <Paper p="md">
        <Stack gap="xs">{children}</Stack>
      </Paper>
    </section>
  )
}
