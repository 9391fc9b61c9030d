import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { QueryView } from '@/shared/ui'
import { reviewQuery } from '../queries'
import { ScrollingDiff } from './ScrollingDiff'

/** What a draft changes since it was published: shown before that is given up. */
export function DraftChanges({ agentId, text }: { agentId: string; text: string }) {
  const query = useQuery({ ...reviewQuery(agentId), staleTime: 0 })
  return (
    <Stack gap="sm">
      <Text>{text}</Text>
      <QueryView query={query}>
        {({ agent }) => agent.publishedVersion && <ScrollingDiff before={agent.publishedVersion} after={agent} />}
      </QueryView>
    </Stack>
  )
}
