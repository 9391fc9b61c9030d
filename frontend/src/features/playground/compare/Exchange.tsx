import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Agent } from '@/features/agents'
import { Asked, Result } from '../messages/ChatEntry'
import type { Entry } from '../messages/entries'
import classes from './compare.module.css'
import type { Exchange } from './exchanges'
import type { Side } from './useSide'

type Props = {
  exchange: Exchange
  agent: Agent
  sides: Side[]
  onRetry: (side: Side, entry: Entry) => void
}

/** One message, and what came of it on each side. */
export function ExchangeView({ exchange, agent, sides, onRetry }: Props) {
  const { t } = useTranslation('playground')
  const asked = exchange.left ?? exchange.right
  const [left] = sides
  if (!asked || !left) return null
  return (
    <Stack gap={8} component="article" aria-label={t('entry')}>
      <Asked entry={asked} agent={agent} sessionId={left.chat.sessionId} />
      <div className={classes.sides}>
        {sides.map((side) => {
          const entry = exchange[side.name]
          return (
            <section key={side.name} data-side={side.name} aria-label={t(`compare.${side.name}`)}>
              {entry ? (
                <Result
                  entry={entry}
                  beside={exchange[side.name === 'left' ? 'right' : 'left']}
                  onRetry={side.chat.phase ? undefined : () => onRetry(side, entry)}
                />
              ) : (
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
