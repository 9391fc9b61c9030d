import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import type { AgentState } from '@/gql/graphql'
import { formatNumber, formatShare } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { AppLink, ChooseRow, type Chosen, part, RowLink, Success, Table } from '@/shared/ui'
import type { Version } from '../queries'
import { useRestore } from './useRestore'

/** What the list knows of its agent. */
export type VersionsAgent = {
  id: string
  state: AgentState
  hasUnpublishedChanges: boolean
  updatedAt: string
  publishedVersion?: { number: number } | null
}

export const regionOf = (number: number) => `version-${number}`

export type Counts = { messages: number; failed: number }

type Props = {
  agent: VersionsAgent
  version: Version
  /** What it changed, in words; undefined until that is known. */
  what: string | undefined
  /** Its messages of the last days; undefined without any, and until they are known. */
  counts: Counts | undefined
  open: boolean
  chosen: Chosen
}

/** One version in one line. It leads to its content, which it folds away when it is open. */
export function VersionRow({ agent, version, what, counts, open, chosen }: Props) {
  const { t } = useTranslation('versions')
  const { number, note, publishedBy, pinnedBy } = version
  const published = agent.publishedVersion?.number === number
  return (
    <Table.Tr className="panel-row">
      <ChooseRow chosen={chosen} id={String(number)} name={t('version', { number })} />
      <Table.Td data-at="title">
        <Group gap="xs" wrap="nowrap">
          <RowLink
            to="/agents/$id/versions"
            params={{ id: agent.id }}
            search={open ? {} : { open: number }}
            resetScroll={false}
            aria-expanded={open}
            aria-controls={open ? regionOf(number) : undefined}
            style={{ whiteSpace: 'nowrap' }}
          >
            {t('version', { number })}
          </RowLink>
          {published && <PublishedBadge live={agent.state === 'LIVE'} />}
        </Group>
      </Table.Td>
      <What note={note} words={what} />
      <Table.Td ta="right">{counts && <Success {...counts} />}</Table.Td>
      <Table.Td data-column="ratings" ta="right">
        <Ratings ratings={version.ratings} />
      </Table.Td>
      <Table.Td data-at="more" data-column="publishedBy">
        <Text inherit lineClamp={1} className="panel-user-text" title={publishedBy?.name}>
          {publishedBy?.name ?? '–'}
        </Text>
      </Table.Td>
      <Table.Td data-at="more-end" style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime time={version.createdAt} />
      </Table.Td>
      <Table.Td data-column="pinnedBy">
        {pinnedBy.map(({ id, name }) => (
          <AppLink
            key={id}
            to="/exports/$id"
            params={{ id }}
            inherit
            title={name}
            className="panel-row-control panel-user-text"
            style={{ marginInlineEnd: 8 }}
          >
            {name}
          </AppLink>
        ))}
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <Actions agent={agent} number={number} restorable={!published || agent.hasUnpublishedChanges} />
      </Table.Td>
    </Table.Tr>
  )
}

/** The draft, while it differs from what is published. */
export function DraftRow({ agent, what, chosen }: Pick<Props, 'agent' | 'what' | 'chosen'>) {
  const { t } = useTranslation('versions')
  return (
    <Table.Tr className="panel-row">
      <ChooseRow chosen={chosen} id="draft" name={t('draft')} />
      <Table.Td data-at="title">
        <RowLink
          to="/agents/$id/versions"
          params={{ id: agent.id }}
          search={{ open: agent.publishedVersion?.number, against: 'draft' }}
          resetScroll={false}
        >
          {t('draft')}
        </RowLink>
      </Table.Td>
      <What note="" words={what} />
      <Table.Td />
      <Table.Td data-column="ratings" />
      <Table.Td data-column="publishedBy" />
      <Table.Td data-at="more">{t('notPublished')}</Table.Td>
      <Table.Td data-column="pinnedBy" />
      <Table.Td />
    </Table.Tr>
  )
}

/** The share of good ratings by callers, in words. */
export function useRatings({ up, down }: Version['ratings']) {
  const { t } = useTranslation('versions')
  const sum = up + down
  return {
    sum,
    text: sum === 0 ? t('noRatings') : t('ratings', { share: formatShare(up / sum), sum: formatNumber(sum) }),
  }
}

function Ratings({ ratings }: Pick<Version, 'ratings'>) {
  const { sum, text } = useRatings(ratings)
  return (
    <Text inherit className="panel-numbers" c={sum === 0 ? 'dimmed' : undefined}>
      {sum === 0 ? '–' : text}
    </Text>
  )
}

/** The publisher's note, and what the note need not say. */
function What({ note, words }: { note: string; words: string | undefined }) {
  return (
    <Table.Td data-at="sub">
      <Text inherit truncate className="panel-user-text" title={[note, words].filter(Boolean).join('\n')}>
        {note}
        {note && words && ' · '}
        {words && (
          <Text span inherit c={note ? 'dimmed' : undefined}>
            {words}
          </Text>
        )}
      </Text>
    </Table.Td>
  )
}

const PinDialog = part(() => import('./PinDialog'))

type ActionsProps = { agent: VersionsAgent; number: number; restorable: boolean }

function Actions({ agent, number, restorable }: ActionsProps) {
  const { t } = useTranslation('versions')
  const may = useMay('EDITOR')
  const restore = useRestore(agent.id)
  const [pinning, setPinning] = useState(false)
  if (!may) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            className="panel-row-control"
            aria-label={t('actionsOf', { number })}
            loading={restore.isPending}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            renderRoot={(props) => (
              <Link
                to="/agents/$id"
                params={{ id: agent.id }}
                search={{ version: number, try: 'window' as const }}
                {...props}
              />
            )}
          >
            {t('tryIt')}
          </Menu.Item>
          <Menu.Item
            renderRoot={(props) => (
              <Link
                to="/agents/$id/versions"
                params={{ id: agent.id }}
                search={{ open: number }}
                resetScroll={false}
                {...props}
              />
            )}
          >
            {t('view')}
          </Menu.Item>
          {restorable && <Menu.Item onClick={() => restore.mutate(number)}>{t('restore')}</Menu.Item>}
          <Menu.Item onClick={() => setPinning(true)}>{t('pin')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {pinning && (
        <Suspense fallback={null}>
          <PinDialog agentId={agent.id} number={number} onClose={() => setPinning(false)} />
        </Suspense>
      )}
    </>
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
