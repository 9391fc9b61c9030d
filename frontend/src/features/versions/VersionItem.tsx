import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AgentState } from '@/gql/graphql'
import { RelativeTime } from '@/shared/time'
import { AppLink, ButtonLink, PendingButton } from '@/shared/ui'
import type { Version } from './queries'
import { useRestore } from './useRestore'
import { VersionChanges } from './VersionChanges'

/** What the list knows of its agent. */
export type VersionsAgent = {
  id: string
  state: AgentState
  hasUnpublishedChanges: boolean
  publishedVersion?: { number: number } | null
}

/** Which version's content is shown, and what it is compared with. */
export type Shown = { open?: number; against?: 'draft' }

type Props = {
  agent: VersionsAgent
  version: Version
  /** The cursor of the version after this one; null if it is the newest. */
  after: string | null
  open: boolean
  against?: 'draft'
  onShow: (shown: Shown) => void
}

/** One version: its facts, its actions, and its content while it is open. */
export function VersionItem({ agent, version, after, open, against, onShow }: Props) {
  const { t } = useTranslation('versions')
  const { number, note } = version
  const restore = useRestore(agent.id)
  const published = agent.publishedVersion?.number === number
  const isDraft = published && !agent.hasUnpublishedChanges
  const region = `version-${number}`
  return (
    <li style={{ padding: '16px 0' }}>
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <Text component="h2" fw={600} id={`${region}-title`}>
              {t('version', { number })}
            </Text>
            {published && <PublishedBadge live={agent.state === 'LIVE'} />}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <RelativeTime time={version.createdAt} />
          </Text>
        </Group>
        {note && (
          <Text className="panel-user-text" style={{ whiteSpace: 'pre-wrap' }}>
            {note}
          </Text>
        )}
        <Facts version={version} />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-expanded={open}
            aria-controls={open ? region : undefined}
            aria-describedby={`${region}-title`}
            onClick={() => onShow(open ? {} : { open: number })}
          >
            {t(open ? 'hide' : number > 1 ? 'showChanges' : 'showContent')}
          </Button>
          {!isDraft && (
            <PendingButton
              size="xs"
              variant="default"
              aria-describedby={`${region}-title`}
              pending={restore.isPending}
              onClick={() => restore.mutate(number)}
            >
              {t('restore')}
            </PendingButton>
          )}
          <ButtonLink
            to="/agents/$id/playground"
            params={{ id: agent.id }}
            search={{ version: number }}
            size="xs"
            variant="default"
            aria-describedby={`${region}-title`}
          >
            {t('tryIt')}
          </ButtonLink>
        </Group>
        {open && (
          <section id={region} aria-label={t('contentOf', { number })}>
            <VersionChanges
              agentId={agent.id}
              number={number}
              after={after}
              against={against}
              onAgainst={(chosen) => onShow({ open: number, against: chosen })}
            />
          </section>
        )}
      </Stack>
    </li>
  )
}

/** Marks the version that callers get, or got before the agent was taken offline. */
function PublishedBadge({ live }: { live: boolean }) {
  const { t } = useTranslation('versions')
  const Icon = live ? IconCircleCheck : IconCircleDashed
  return (
    <Badge miw="max-content" color={live ? 'green' : 'gray'} leftSection={<Icon size={14} aria-hidden />}>
      {t(live ? 'live' : 'publishedLast')}
    </Badge>
  )
}

function Facts({ version: { model, modelName, pinnedBy } }: { version: Version }) {
  const { t } = useTranslation('versions')
  return (
    <dl className="panel-facts" style={{ font: 'var(--t13)' }}>
      <dt>{t('setting.model')}</dt>
      <dd className="panel-user-text">{model?.label ?? t('modelGone', { name: modelName })}</dd>
      {pinnedBy.length > 0 && (
        <>
          <dt>{t('pinnedBy')}</dt>
          <dd>
            <Group gap="xs">
              {pinnedBy.map(({ id, name }) => (
                <AppLink key={id} to="/exports/$id" params={{ id }} inherit className="panel-user-text">
                  {name}
                </AppLink>
              ))}
            </Group>
          </dd>
        </>
      )}
    </dl>
  )
}
