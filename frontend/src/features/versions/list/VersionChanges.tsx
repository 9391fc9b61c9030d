import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { VersionContentFragment } from '@/gql/graphql'
import { EmptyState, QueryView } from '@/shared/ui'
import { ContentView } from '../diff/ContentView'
import { DiffView } from '../diff/DiffView'
import { reviewQuery, versionContentQuery } from '../queries'

/** Which version's content is shown, and what it is compared with: the version before it, unless another or the draft is named. */
export type Shown = { open?: number; against?: number | 'draft' }

type Props = {
  agentId: string
  number: number
  against?: Shown['against']
  onAgainst: (against?: Shown['against']) => void
}

/** A version's content: what it changed, what differs from another version, or what the draft changes since. */
export function VersionChanges({ agentId, number, against = number - 1, onAgainst }: Props) {
  const { t } = useTranslation('versions')
  const query = useQuery(versionContentQuery(agentId, number))
  const before = number - 1
  const other = against !== 'draft' && against !== before ? against : undefined
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('compare')}
        data={[
          ...(other ? [{ value: String(other), label: t('withVersion', { number: other }) }] : []),
          { value: String(before), label: before > 0 ? t('withVersion', { number: before }) : t('content') },
          { value: 'draft', label: t('withDraft') },
        ]}
        value={String(against)}
        onChange={(value) => onAgainst(value === 'draft' ? 'draft' : value === String(before) ? undefined : other)}
      />
      <QueryView query={query}>
        {({ version }) => {
          if (!version) return <EmptyState title={t('notFound', { number })} />
          if (against === 'draft') return <DraftDiff agentId={agentId} version={version} />
          if (against < 1) return <ContentView content={version} />
          return <VersionDiff agentId={agentId} against={against} version={version} />
        }}
      </QueryView>
    </Stack>
  )
}

type DiffProps = { agentId: string; version: VersionContentFragment }

function VersionDiff({ agentId, against, version }: DiffProps & { against: number }) {
  const { t } = useTranslation('versions')
  const query = useQuery(versionContentQuery(agentId, against))
  return (
    <Stack gap="xs">
      <Text size="sm">{t('fromTo', { before: against, number: version.number })}</Text>
      <QueryView query={query}>
        {({ version: before }) =>
          before ? (
            <DiffView before={before} after={version} />
          ) : (
            <EmptyState title={t('notFound', { number: against })} />
          )
        }
      </QueryView>
    </Stack>
  )
}

function DraftDiff({ agentId, version }: DiffProps) {
  const { t } = useTranslation('versions')
  const query = useQuery(reviewQuery(agentId))
  return (
    <Stack gap="xs">
      <Text size="sm">{t('fromToDraft', { number: version.number })}</Text>
      <QueryView query={query}>{({ agent }) => <DiffView before={version} after={agent} />}</QueryView>
    </Stack>
  )
}
