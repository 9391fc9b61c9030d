import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import type { Result } from '@/features/conversations'
import { ContinuedFrom } from '@/features/conversations'
import { newRequestId } from '@/shared/gql'
import { EmptyState, ErrorState } from '@/shared/ui'
import { RestartButton, ValuesButton } from '../BarButtons'
import { Composer } from '../chat/Composer'
import type { Kept } from '../chat/kept'
import { ModelNotice } from '../chat/ModelNotice'
import { useMessage } from '../chat/useMessage'
import { FullWindowButton, FullWindowTitle } from '../FullWindow'
import { CreditNotice, useShortOf } from '../messages/CreditNotice'
import type { Entry } from '../messages/entries'
import { Messages } from '../messages/Messages'
import { useFollow } from '../messages/useFollow'
import { Opened } from '../Opened'
import panel from '../Playground.module.css'
import { useView } from '../useView'
import { useValues } from '../values/useValues'
import { ValuesNotice } from '../values/ValuesNotice'
import { ValuesPanel } from '../values/ValuesPanel'
import classes from './compare.module.css'
import { ExchangeView } from './Exchange'
import { exchangesOf } from './exchanges'
import { SideHead } from './SideHead'
import { hasFailed, together } from './together'
import { type Side, type SideName, useSide } from './useSide'

/** Two conversations side by side, of two versions or models; one message goes to both. Both are in the page's address. */
export function Compare({ agent }: { agent: Agent }) {
  const { session, otherSession } = useSearch({ strict: false })
  const [first] = useState({ session, otherSession })
  return (
    <Opened agentId={agent.id} session={first.session}>
      {(left) => (
        <Opened agentId={agent.id} session={first.otherSession}>
          {(right) => <ComparePanel agent={agent} kept={{ left, right }} />}
        </Opened>
      )}
    </Opened>
  )
}

function ComparePanel({ agent, kept }: { agent: Agent; kept: Record<SideName, Kept | undefined> }) {
  const { t } = useTranslation('playground')
  const { continue: continueFrom } = useSearch({ strict: false })
  const navigate = useNavigate()
  const left = useSide(agent, 'left', kept.left, continueFrom)
  const right = useSide(agent, 'right', kept.right, continueFrom)
  const sides = [left, right]
  const { busy, begun, phase, stopPrice, prices, variables } = together(left, right)
  const { show } = useView(busy)
  const follow = useFollow()
  const composer = useRef<HTMLTextAreaElement>(null)
  const message = useMessage(agent.id, left.chat.entries)
  const short = useShortOf(prices?.total)
  const values = useValues(variables ?? [], kept.left?.entries.at(-1) ?? kept.right?.entries.at(-1))
  const valuesId = useId()
  const [valuesOpen, setValuesOpen] = useState<boolean>()
  const valuesShown = valuesOpen ?? ((variables ?? []).length > 0 && left.chat.entries.length === 0)
  const [shown, setShown] = useState<SideName>('left')
  const exchanges = exchangesOf(left.chat.entries, right.chat.entries)
  const ready = sides.every(({ answering }) => answering.model?.available && answering.variables !== undefined)
  const complete = variables !== undefined && values.missing.length === 0 && !values.tooLong

  const address = (sessions: { session?: string; otherSession?: string; continue?: string }) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...sessions }), replace: true, resetScroll: false })
  const send = (message: string) => {
    const pair = newRequestId()
    for (const side of sides) side.send(message, pair, values.given)
    address({ session: left.chat.sessionId, otherSession: right.chat.sessionId })
    follow.jump()
  }
  const retry = (side: Side, entry: Entry) => {
    if (!begun) values.setUserId(entry.userId ?? '')
    side.retry(entry)
    follow.jump()
    composer.current?.focus()
  }
  const goOn = (side: Side, entry: Entry, results: Result[]) => {
    side.goOn(entry, results)
    follow.jump()
    composer.current?.focus()
  }
  const restart = () => {
    for (const { chat } of sides) chat.restart()
    address({ session: undefined, otherSession: undefined, continue: undefined })
    composer.current?.focus()
  }
  const stop = () => {
    for (const { chat } of sides) chat.stop()
  }

  return (
    <div className={classes.compare} data-shown={shown}>
      <div className={panel.bar}>
        <Group gap="xs" style={{ flex: '1 1 auto', minWidth: 0 }}>
          <FullWindowTitle agent={agent} busy={busy}>
            {t('compare.title')}
          </FullWindowTitle>
          <Text size="sm" className={classes.text}>
            {t('compare.text')}
          </Text>
        </Group>
        <Group gap="xs" ml="auto">
          <ValuesButton
            id={valuesId}
            shown={valuesShown}
            count={values.count}
            onToggle={() => setValuesOpen(!valuesShown)}
          />
          <RestartButton onClick={restart} disabled={busy || (exchanges.length === 0 && continueFrom === undefined)} />
          <Button size="xs" variant="default" disabled={busy} onClick={() => show('window')}>
            {t('compare.end')}
          </Button>
          <FullWindowButton whole disabled={busy} onClick={() => show(undefined)} />
        </Group>
      </div>
      <SegmentedControl
        className={classes.switch}
        aria-label={t('compare.shown')}
        data={sides.map((side) => {
          const label = t(`compare.${side.name}`)
          return { value: side.name, label: hasFailed(side) ? t('compare.failed', { side: label }) : label }
        })}
        value={shown}
        onChange={(value) => setShown(value as SideName)}
      />
      <div className={classes.heads}>
        {sides.map((side) => (
          <SideHead key={side.name} agentId={agent.id} side={side} busy={busy} />
        ))}
      </div>
      {continueFrom && <ContinuedFrom turnId={continueFrom} />}
      {valuesShown && <ValuesPanel id={valuesId} variables={variables ?? []} values={values} begun={begun} />}
      <Messages follow={follow}>
        {exchanges.length === 0 ? (
          <EmptyState title={t('compare.title')} text={t('compare.emptyText')} />
        ) : (
          <Stack gap="lg">
            {exchanges.map((exchange) => (
              <ExchangeView
                key={exchange.key}
                exchange={exchange}
                sides={sides}
                ready={ready && !short}
                onRetry={retry}
                onResults={goOn}
              />
            ))}
          </Stack>
        )}
      </Messages>
      <div className={panel.composer}>
        {sides.map(({ name, answering }) => (
          <div key={name}>
            {answering.unread && <ErrorState {...answering.unread} />}
            <ModelNotice agentId={agent.id} answering={answering} />
          </div>
        ))}
        <CreditNotice price={prices?.total} text="noCreditsBoth" />
        <ValuesNotice values={values} />
        <Composer
          ref={composer}
          message={message}
          ready={ready && complete && !short}
          phase={phase}
          price={stopPrice}
          placeholder={t('compare.placeholder')}
          note={prices && t('compare.price', { count: prices.total, ...prices })}
          onSend={send}
          onStop={stop}
        />
      </div>
    </div>
  )
}
