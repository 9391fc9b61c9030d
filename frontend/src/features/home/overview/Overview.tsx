import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { followMs } from '@/shared/gql'
import { FiguresShape, LoadingState, QueryView, TableShape } from '@/shared/ui'
import { Attention } from '../attention/Attention'
import classes from '../Home.module.css'
import { attentionQuery, type Home } from '../queries'
import { homeUsageQuery, type Range } from '../usage'
import { AgentsByUse } from './AgentsByUse'
import { Figures } from './Figures'
import { LatestConversations } from './LatestConversations'

/** An account in use: its figures, what needs attention, its agents by use and what was said last. */
export function Overview({ home, range }: { home: Home; range: Range }) {
  // Figures follow the messages while the reader works in another window.
  const usage = useQuery({ ...homeUsageQuery(range), refetchInterval: followMs })
  const agents = useQuery(attentionQuery).data?.agents.nodes ?? home.agents.nodes
  return (
    <Stack gap="lg" aria-busy={usage.isPlaceholderData} opacity={usage.isPlaceholderData ? 0.6 : undefined}>
      <QueryView query={usage} loading={<FiguresShape height={124} />}>
        {(data) => (
          <>
            <Figures data={data} />
            <Attention lastHour={data.usage.lastHour} />
          </>
        )}
      </QueryView>
      <Box className={classes.columns}>
        {usage.isPending && (
          <LoadingState>
            <TableShape />
          </LoadingState>
        )}
        {usage.data && agents.length > 0 && (
          <AgentsByUse data={usage.data} others={agents} count={home.agents.totalCount} />
        )}
        <LatestConversations conversations={home.viewer.conversations.nodes} />
      </Box>
    </Stack>
  )
}
