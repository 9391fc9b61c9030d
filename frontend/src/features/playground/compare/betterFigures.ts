import { formatDuration } from '@/shared/format'
import type { SentTurn } from '../queries'

type Turn = Pick<SentTurn, 'state' | 'finishReason' | 'credits' | 'inputTokens' | 'outputTokens' | 'durationMs'>

/**
 * Which figures of a reply are better than those of another one: the lower ones. Nothing is, unless both replies came to their own
 * end, or where the two look the same.
 */
export function betterFigures(mine: Turn, other: Turn | undefined) {
  const fair = other !== undefined && [mine, other].every(isWhole)
  const lower = (of: (turn: Turn) => number | undefined, shown: (value: number) => unknown = (value) => value) => {
    const [a, b] = fair ? [of(mine), of(other)] : []
    return a !== undefined && b !== undefined && a < b && shown(a) !== shown(b)
  }
  return {
    credits: lower(({ credits }) => credits),
    tokens: lower(({ inputTokens, outputTokens }) =>
      inputTokens == null || outputTokens == null ? undefined : inputTokens + outputTokens,
    ),
    time: lower(({ durationMs }) => durationMs ?? undefined, formatDuration),
  }
}

const isWhole = ({ state, finishReason }: Turn) => state === 'ANSWERED' && (finishReason ?? 'stop') === 'stop'
