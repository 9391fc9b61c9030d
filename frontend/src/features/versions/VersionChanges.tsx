import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadingState, QueryView } from '@/shared/ui'
import { ContentView } from './ContentView'
import { DiffView } from './DiffView'
import { reviewQuery, type VersionContent, versionContentQuery } from './queries'

type Props = {
  agentId: string
  number: number
  after: string | null
  against?: 'draft'
  onAgainst: (against?: 'draft') => void
}

/** A version's content: what it changed, or what the draft changes since. */
export function VersionChanges({ agentId, number, after, against, onAgainst }: Props) {
  const { t } = useTranslation('versions')
  const query = useQuery(versionContentQuery(agentId, after))
  return (
    <Stack gap="sm" pt="xs">
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('compare')}
        data={[
          { value: '', label: number > 1 ? t('withVersion', { number: number - 1 }) : t('content') },
          { value: 'draft', label: t('withDraft') },
        ]}
        value={against ?? ''}
        onChange={(value) => onAgainst(value === 'draft' ? 'draft' : undefined)}
      />
      <QueryView query={query}>
        {({ agent }) => {
          const version = agent.versions.nodes.find((one) => one.number === number)
          const before = agent.versions.nodes.find((one) => one.number === number - 1)
          // A version was published since the list was read, which is read again in a moment.
          if (!version || (number > 1 && !before)) return <LoadingState rows={2} />
          if (against === 'draft') return <DraftDiff agentId={agentId} version={version} />
          return before ? <VersionDiff before={before} version={version} /> : <ContentView content={version} />
        }}
      </QueryView>
    </Stack>
  )
}

function VersionDiff({ before, version }: { before: VersionContent; version: VersionContent }) {
  const { t } = useTranslation('versions')
  return (
    <Stack gap="xs">
      <Text size="sm">{t('fromTo', { before: before.number, number: version.number })}</Text>
      <DiffView before={before} after={version} />
    </Stack>
  )
}

function DraftDiff({ agentId, version }: { agentId: string; version: VersionContent }) {
  const { t } = useTranslation('versions')
  const query = useQuery(reviewQuery(agentId))
  return (
    <Stack gap="xs">
      <Text size="sm">{t('fromToDraft', { number: version.number })}</Text>
      <QueryView query={query}>{({ agent }) => <DiffView before={version} after={agent} />}</QueryView>
    </Stack>
  )
}
