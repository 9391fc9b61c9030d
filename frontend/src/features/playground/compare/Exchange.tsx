import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Result as ActionResult, ActionResults } from '@/features/conversations'
import { Bubble } from '../messages/Bubble'
import { Actions, Result } from '../messages/ChatEntry'
import { callStates, type Entry } from '../messages/entries'
import panel from '../Playground.module.css'
import classes from './compare.module.css'
import type { Exchange } from './exchanges'
import type { Side } from './useSide'

type Props = {
  exchange: Exchange
  sides: Side[]
  /** Whether results can be sent now. */
  ready: boolean
  onRetry: (side: Side, entry: Entry) => void
  onResults: (side: Side, entry: Entry, results: ActionResult[]) => void
}

/** One message with its outcome on each side. */
export function ExchangeView({ exchange, sides, ready, onRetry, onResults }: Props) {
  const { t } = useTranslation('playground')
  const asked = exchange.left ?? exchange.right
  if (!asked) return null
  return (
    <Stack gap={8} component="article" aria-label={t('entry')}>
      {!asked.results && (
        <div className={classes.message}>
          <Bubble text={asked.message} asked />
        </div>
      )}
      <div className={classes.sides}>
        {sides.map((side) => {
          const entry = exchange[side.name]
          return (
            <section key={side.name} data-side={side.name} aria-label={t(`compare.${side.name}`)}>
              {entry && (
                <Stack gap={8}>
                  {entry.results && <ActionResults results={entry.results} box={`${panel.bubble} ${panel.asked}`} />}
                  <Result
                    entry={entry}
                    beside={exchange[side.name === 'left' ? 'right' : 'left'] ?? null}
                    onRetry={side.chat.phase ? undefined : () => onRetry(side, entry)}
                  />
                  <Actions
                    entry={entry}
                    callState={callStates(side.chat.entries).get(entry.id)}
                    ready={ready && !side.chat.phase}
                    onResults={(results) => onResults(side, entry, results)}
                  />
                </Stack>
              )}
              {!entry && !asked.results && (
                <Text size="sm" c="dimmed">
                  {t('compare.notSent')}
                </Text>
              )}
            </section>
          )
        })}
      </div>
    </Stack>
  )
}
