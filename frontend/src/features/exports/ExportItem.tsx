import { Button, Code, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { RelativeTime } from '@/shared/time'
import { EditExport } from './EditExport'
import { ExportStateBadge } from './ExportStateBadge'
import { PauseButton } from './PauseButton'
import { priceOf } from './periods'
import type { AgentExport, PublishedVersion } from './queries'
import { LimitReached, Usage } from './Usage'
import { hints, useRemoveExport } from './useRemoveExport'

type Props = {
  agentId: string
  /** The agent's published version. */
  published?: PublishedVersion
  row: AgentExport
  /** Creates the export that replaces this one. Missing if none can be created now. */
  onReplace?: () => void
  onRemoved?: () => void
}

/** One export in the drawer: its facts and actions. */
export function ExportItem({ agentId, published, row, onReplace, onRemoved }: Props) {
  const { t } = useTranslation('exports')
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const remove = useRemoveExport(agentId)
  const used = row.state !== 'REMOVED'
  const edited = useRef(false)
  // Once the button is there again, which may take longer than a frame.
  useEffect(() => {
    if (edited.current && !editing) editButton.current?.focus()
    edited.current = editing
  }, [editing])
  if (used && editing) {
    return (
      <li>
        <EditExport agentId={agentId} published={published} row={row} onClose={() => setEditing(false)} />
      </li>
    )
  }
  return (
    <li style={{ padding: '12px 0' }}>
      <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={500} className="panel-user-text" style={{ minWidth: 0 }}>
          {row.name}
        </Text>
        <ExportStateBadge state={row.state} />
      </Group>
      <dl className="panel-facts panel-numbers" style={{ font: 'var(--t13)', marginTop: 4 }}>
        <dt>{t('keyHint')}</dt>
        <dd className="panel-user-text">
          <Code>{hints(row)}</Code>
        </dd>
        <dt>{t('created')}</dt>
        <dd>
          <RelativeTime time={row.createdAt} />
        </dd>
        <dt>{t('lastUsed')}</dt>
        <dd>
          <RelativeTime time={row.lastUsedAt} />
        </dd>
        {used ? (
          <>
            <dt>{t('rate')}</dt>
            <dd>{t('perMinute', { count: row.rateLimitPerMinute, amount: formatNumber(row.rateLimitPerMinute) })}</dd>
            <dt>{t('usedCredits')}</dt>
            <dd>
              <Usage use={row} />
            </dd>
            <UserFact row={row} />
            <dt>{t('version')}</dt>
            <dd>
              {row.version == null
                ? t(published ? 'followsNow' : 'follows', { number: published?.number })
                : t('pinned', { number: row.version })}
            </dd>
            {row.expiresAt && (
              <>
                <dt>{t(row.state === 'EXPIRED' ? 'expired' : 'expires')}</dt>
                <dd>
                  <RelativeTime time={row.expiresAt} mayLieAhead />
                </dd>
              </>
            )}
          </>
        ) : (
          <>
            <dt>{t('removed')}</dt>
            <dd>
              <RelativeTime time={row.removedAt} />
            </dd>
          </>
        )}
      </dl>
      {row.state === 'ACTIVE' && <LimitReached use={row} price={priceOf(published, row.version)} />}
      {used && (
        <Group gap="xs" mt="xs">
          <Button
            size="xs"
            variant="default"
            ref={editButton}
            onClick={() => setEditing(true)}
            aria-label={t('editOf', { name: row.name })}
          >
            {t('edit')}
          </Button>
          <PauseButton agentId={agentId} row={row} />
          {onReplace && (
            <Button size="xs" variant="default" onClick={onReplace} aria-label={t('replaceOf', { name: row.name })}>
              {t('replace')}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            c="var(--bad)"
            onClick={() => remove(row, onRemoved)}
            aria-label={t('removeOf', { name: row.name })}
          >
            {t('remove')}
          </Button>
        </Group>
      )}
    </li>
  )
}

/** What the export asks of each end user. */
function UserFact({ row: { requireUserId, userDailyMessageLimit: most } }: { row: AgentExport }) {
  const { t } = useTranslation('exports')
  if (most == null && !requireUserId) return null
  return (
    <>
      <dt>{t('endUsers')}</dt>
      <dd>{most == null ? t('userIdNeeded') : t('perUser', { count: most, amount: formatNumber(most) })}</dd>
    </>
  )
}
