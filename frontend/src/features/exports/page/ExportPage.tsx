import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OtherAccounts } from '@/features/accounts'
import { useMay } from '@/features/auth'
import { CallSamples, needsUser } from '@/features/developers'
import { followMs } from '@/shared/gql'
import { ExactDate, RelativeTime, useNow } from '@/shared/time'
import { AppLink, ButtonLink, Missing, Page, QueryView } from '@/shared/ui'
import { ExportStateBadge } from '../ExportStateBadge'
import { Keys } from '../keys/Keys'
import { Limits } from '../settings/Limits'
import classes from './Export.module.css'
import { ExportShape } from './ExportShape'
import { ExportUsage } from './ExportUsage'
import { LastCalls } from './LastCalls'
import { PauseButton } from './PauseButton'
import { type Export, exportCallsQuery, exportQuery, exportUseQuery } from './queries'
import { useRemoveExport } from './useRemoveExport'

const route = getRouteApi('/_app/exports/$id')

/** One export: who may call with which keys, how much, and what they did. */
export function ExportPage() {
  const { t } = useTranslation('exports')
  const { id } = route.useParams()
  const query = useQuery({ ...exportQuery(id), refetchInterval: followMs })
  // Asked along with the export.
  useQuery(exportUseQuery(id, useNow()))
  useQuery(exportCallsQuery(id))
  const row = query.data
  const may = useMay('EDITOR')
  const seenInUse = useRef<string>(undefined)
  useEffect(() => {
    if (row && row.state !== 'REMOVED') seenInUse.current = row.id
  }, [row])
  const back = (
    <ButtonLink to="/exports" variant="default">
      {t('notFound.all')}
    </ButtonLink>
  )
  return (
    <Page
      title={row?.name ?? t('exportTitle')}
      description={row && <FactsLine row={row} />}
      above={
        <AppLink to="/exports" size="sm" w="fit-content">
          {t('title')}
        </AppLink>
      }
      actions={row && may && row.state !== 'REMOVED' && <Actions row={row} />}
    >
      <QueryView query={query} loading={<ExportShape />} missing={<Missing title={t('notFound.title')} back={back} />}>
        {(row) => (
          <>
            {row.state === 'REMOVED' && <RemovedNotice isNews={seenInUse.current === row.id} />}
            <div key={row.id} className={classes.columns}>
              <div className={classes.column}>
                <Keys row={row} />
                {row.state === 'REMOVED' ? <ExportUsage id={row.id} /> : <Limits row={row} />}
              </div>
              <div className={classes.column}>
                {row.state !== 'REMOVED' && <ExportUsage id={row.id} />}
                <LastCalls id={row.id} />
              </div>
            </div>
            {row.state !== 'REMOVED' && <CallFold key={`call-${row.id}`} row={row} />}
          </>
        )}
      </QueryView>
      <OtherAccounts query={query} />
    </Page>
  )
}

function FactsLine({ row }: { row: Export }) {
  const { t } = useTranslation('exports')
  return (
    <span className={`${classes.line} panel-numbers`}>
      <ExportStateBadge state={row.state} />
      <AppLink to="/agents/$id/channels" params={{ id: row.agent.id }} inherit className="panel-user-text">
        {row.agent.name}
      </AppLink>
      <span>
        {t('created')} <ExactDate time={row.createdAt} />
      </span>
      <span>
        {row.lastUsedAt && t('lastUsed')} <RelativeTime time={row.lastUsedAt} none={t('notUsed')} />
      </span>
      {(row.state === 'PAUSED' || row.state === 'EXPIRED') && (
        <Text span inherit c="var(--warn)">
          {t(`rejects.${row.state}`)}
        </Text>
      )}
      {row.agent.state !== 'LIVE' && row.state !== 'REMOVED' && (
        <Text span inherit c="var(--warn)">
          {t('agentNotLive')}
        </Text>
      )}
    </span>
  )
}

function Actions({ row }: { row: Export }) {
  const { t } = useTranslation('exports')
  const remove = useRemoveExport()
  return (
    <>
      <PauseButton row={row} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('more')}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item c="var(--bad)" onClick={() => remove(row)}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** How software calls the agent through this export. Folded: most readers of the page have done so already. */
function CallFold({ row }: { row: Export }) {
  const { t } = useTranslation('calling')
  const [opened, setOpened] = useState(false)
  const version = row.pinnedVersion ?? row.agent.publishedVersion ?? { variables: [] }
  return (
    <details onToggle={() => setOpened(true)}>
      <summary className={classes.fold}>{t('use')}</summary>
      {opened && <CallSamples agentName={row.agent.name} {...version} withUserId={needsUser([row])} />}
    </details>
  )
}

/** Takes the focus when the export is removed while its page is open, because the pressed button has gone. */
function RemovedNotice({ isNews }: { isNews: boolean }) {
  const { t } = useTranslation('exports')
  const notice = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    const focused = document.activeElement
    if (isNews && (focused === document.body || focused?.closest('[role="dialog"]'))) notice.current?.focus()
  }, [])
  return (
    <Text ref={notice} tabIndex={-1} role="status" style={{ outline: 'none' }}>
      {t('removedNotice')}
    </Text>
  )
}
