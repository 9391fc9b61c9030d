import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { QueryView } from '@/shared/ui'
import { DiffView } from './DiffView'
import { reviewQuery } from './queries'

/** What a draft changes since it was published: shown before that is given up. */
export function DraftChanges({ agentId, text }: { agentId: string; text: string }) {
  const query = useQuery({ ...reviewQuery(agentId), staleTime: 0 })
  return (
    <Stack gap="sm">
      <Text>{text}</Text>
      <QueryView query={query}>
        {({ agent }) => agent.publishedVersion && <DiffView before={agent.publishedVersion} after={agent} />}
      </QueryView>
    </Stack>
  )
}
