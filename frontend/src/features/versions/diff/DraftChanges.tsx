import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { QueryView } from '@/shared/ui'
import { reviewQuery } from '../queries'
import { onlyInDraft } from '../replacingDraft'
import { quoted } from './knowledge'
import { ScrollingDiff } from './ScrollingDiff'

/** What a draft changes since it was published: shown before that is given up. */
export function DraftChanges({ agentId, text }: { agentId: string; text: string }) {
  const query = useQuery({ ...reviewQuery(agentId), staleTime: 0 })
  return (
    <Stack gap="sm">
      <Text>{text}</Text>
      <QueryView query={query}>
        {({ agent }) => (
          <>
            {agent.publishedVersion && <ScrollingDiff before={agent.publishedVersion} after={agent} />}
            <LostSources names={onlyInDraft(agent).map(({ name }) => name)} />
          </>
        )}
      </QueryView>
    </Stack>
  )
}

/** Sources that no version has: without the draft they are gone. */
function LostSources({ names }: { names: string[] }) {
  const { t } = useTranslation('versions')
  if (names.length === 0) return null
  return (
    <Alert color="red" role="note" icon={<IconAlertTriangle aria-hidden />}>
      <span className="panel-user-text">{t('losesKnowledge', { count: names.length, names: quoted(t, names) })}</span>
    </Alert>
  )
}
