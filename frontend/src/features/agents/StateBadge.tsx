import { Badge, Group } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconPencil, IconPencilPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AgentState } from '@/gql/graphql'

/** What an agent's state consists of. */
export type Publication = {
  state: AgentState
  hasUnpublishedChanges: boolean
  publishedVersion?: { number: number } | null
}

/** What callers get of an agent, and whether its draft differs from that, by word, icon and colour; `short` is for rows. */
export function StateBadge({ agent, short = false }: { agent: Publication; short?: boolean }) {
  const { state, publishedVersion, hasUnpublishedChanges } = agent
  const { t } = useTranslation('agents')
  const live = state === 'LIVE'
  const Icon = live ? IconCircleCheck : state === 'OFFLINE' ? IconCircleDashed : IconPencil
  return (
    <Group gap={4} component="span">
      <Badge
        component="span"
        miw="max-content"
        variant={short ? 'transparent' : undefined}
        px={short ? 0 : undefined}
        color={live ? 'green' : 'gray'}
        leftSection={<Icon size={14} aria-hidden />}
      >
        {live && !short && t('liveVersion', { number: publishedVersion?.number })}
        {live && short && t(hasUnpublishedChanges ? 'liveChanged' : 'live')}
        {!live && t(state === 'OFFLINE' ? 'offline' : 'draft')}
      </Badge>
      {live && hasUnpublishedChanges && !short && (
        <Badge component="span" miw="max-content" color="yellow" leftSection={<IconPencilPlus size={14} aria-hidden />}>
          {t('unpublished')}
        </Badge>
      )}
    </Group>
  )
}
