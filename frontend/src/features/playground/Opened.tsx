import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChatShape, QueryView } from '@/shared/ui'
import { type Kept, keptQuery } from './chat/kept'

type Props = {
  agentId: string
  /** The conversation's session ID; none of a new one. */
  session: string | undefined
  children: (kept: Kept | undefined) => ReactNode
}

/** Shows a conversation once it is known what the service has kept of it. */
export function Opened({ agentId, session, children }: Props) {
  const query = useQuery({ ...keptQuery(agentId, session ?? ''), enabled: session !== undefined })
  if (session === undefined) return children(undefined)
  return (
    <QueryView
      query={query}
      loading={
        <Box p="md">
          <ChatShape turns={2} />
        </Box>
      }
    >
      {children}
    </QueryView>
  )
}
