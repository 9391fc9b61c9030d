import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { gql } from '@/shared/gql'
import { ExactDate, formatHour, formatRelative, RelativeTime, useNow } from '@/shared/time'
import { KeyReveal, useNewKey } from '@/shared/ui'
import { carriedKey, dropCarriedKey } from '../create/carriedKey'
import classes from '../page/Export.module.css'
import { LastUse } from '../page/LastUse'
import { applyToExport, type Export, type Key, ReplaceApiKeyDocument, SetApiKeyStopDocument } from '../page/queries'
import { endOfKey, refreshExports } from '../queries'
import { StopDialog } from './StopDialog'
import { useStopKey } from './useStopKey'

/** An export's keys: one, or two while a key is being replaced. */
export function Keys({ row }: { row: Export }) {
  const { t } = useTranslation('exports')
  const heading = useRef<HTMLHeadingElement>(null)
  const may = useMay('EDITOR')
  const [asking, setAsking] = useState(false)
  const replacement = useNewKey(async (oldKeyStopsAt: string | null) => {
    const { replaceApiKey } = await gql(ReplaceApiKeyDocument, { input: { exportId: row.id, oldKeyStopsAt } })
    return { apiKey: replaceApiKey.apiKey, exportName: replaceApiKey.export.name }
  }, refreshExports)
  // The key of an export that was just created in the list.
  const [created, setCreated] = useState(() => carriedKey(row.id))
  useEffect(dropCarriedKey, [])
  const shown = replacement.shown ?? created
  const replacing = row.keys.length > 1
  const removed = row.state === 'REMOVED'
  // The pressed button disappears; the focus stays in this part of the page.
  const saved = () => {
    replacement.forget()
    setCreated(undefined)
    heading.current?.focus()
  }
  const stopped = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a key has gone
  useEffect(() => {
    if (stopped.current) heading.current?.focus()
    stopped.current = false
  }, [row.keys.length])
  return (
    <section aria-label={t('keys')}>
      <Group justify="space-between" gap="xs" mb="xs" mih={32}>
        <Title order={2} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('keys')}
        </Title>
        {may && !removed && row.state !== 'EXPIRED' && !replacing && !shown && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('replace')}
          </Button>
        )}
      </Group>
      {shown && <KeyReveal {...shown} onSaved={saved} />}
      <Paper component="ul" className="panel-list" style={{ marginTop: shown && 12 }}>
        {row.keys.map((key, at) => (
          <KeyRow
            key={key.id}
            row={row}
            item={key}
            other={removed || !may ? undefined : row.keys[1 - at]}
            name={!replacing ? 'only' : at === 0 ? 'new' : 'old'}
            onStopped={() => {
              stopped.current = true
            }}
          />
        ))}
      </Paper>
      {replacing && !removed && (
        <Text size="sm" c="dimmed" mt="xs">
          <OldKeyUse keys={row.keys} /> {t('twoKeys')}
        </Text>
      )}
      {asking && !shown && (
        <StopDialog
          title={t('replaceTitle', { name: row.name })}
          text={
            <>
              <Text>{t('replaceText')}</Text>
              <LastUse row={row} />
            </>
          }
          label={t('stopQuestion')}
          submitLabel={t('makeKey')}
          withNow
          submit={replacement.create}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

/** Whether anything still calls with the older of two keys, which tells when it can go. */
function OldKeyUse({ keys: [newer, older] }: { keys: Key[] }) {
  const { t } = useTranslation('exports')
  const now = useNow()
  if (!newer || !older) return null
  const used = Date.parse(older.lastUsedAt ?? '')
  if (!(used > Date.parse(newer.createdAt))) return t('oldKeyUnused')
  return t('oldKeyUsed', { ago: formatRelative(Math.min(used, now), now) })
}

type RowProps = {
  row: Export
  item: Key
  /** The other key, while there are two that work. */
  other?: Key
  /** Which of the export's keys it is. */
  name: 'only' | 'new' | 'old'
  onStopped: () => void
}

function KeyRow({ row, item, other, name, onStopped }: RowProps) {
  const { t } = useTranslation('exports')
  const [moving, setMoving] = useState(false)
  const queryClient = useQueryClient()
  const stop = useStopKey(row)
  const move = async (stopsAt: string | null) => {
    if (stopsAt === null) return
    const { setApiKeyStop } = await gql(SetApiKeyStopDocument, { input: { keyId: item.id, stopsAt } })
    applyToExport(queryClient, setApiKeyStop.export)
    refreshExports(queryClient)
  }
  return (
    <li className={classes.key}>
      <div className={classes.line}>
        <Text fw={600}>
          {t(`keyNames.${name}`)} <code translate="no">{endOfKey(item.hint)}</code>
        </Text>
        {other && name !== 'only' && (
          <Group gap="xs" ml="auto">
            {item.stopsAt && (
              <Button size="xs" variant="default" onClick={() => setMoving(true)} aria-label={t('moveOf')}>
                {t('move')}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              c="var(--bad)"
              onClick={() => void stop(item, name, other, onStopped)}
              aria-label={t(`endOf.${name}`)}
            >
              {t('endNow')}
            </Button>
          </Group>
        )}
      </div>
      <dl className={`${classes.facts} panel-numbers`}>
        <Fact name={t('made')}>
          <ExactDate time={item.createdAt} />
        </Fact>
        <Fact name={t('lastUsed')}>
          <RelativeTime time={item.lastUsedAt} />
        </Fact>
        <Stops row={row} item={item} />
      </dl>
      {moving && (
        <StopDialog
          title={t('moveOf')}
          text={<LastUse row={row} keyId={item.id} />}
          label={t('stopQuestion')}
          submitLabel={t('move')}
          submit={move}
          onClose={() => setMoving(false)}
        />
      )}
    </li>
  )
}

/** When a key stops: at its own end, or with its export. */
function Stops({ row, item }: { row: Export; item: Key }) {
  const { t } = useTranslation('exports')
  if (row.state === 'REMOVED') {
    return <Fact name={t('removed')}>{row.removedAt && <ExactDate time={row.removedAt} />}</Fact>
  }
  const ends = [item.stopsAt, row.expiresAt].filter((time) => time != null)
  const end = ends.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
  return (
    <Fact name={t(row.state === 'EXPIRED' ? 'stopped' : 'stops')}>
      <Text span inherit c={item.stopsAt ? 'var(--warn)' : undefined}>
        {end ? <ExactDate time={end} /> : t('time.never', { ns: 'common' })}
      </Text>
      {item.stopsAt && end && (
        <Text size="xs" c="dimmed">
          <RelativeTime time={end} mayLieAhead /> · {formatHour(end)}
        </Text>
      )}
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
