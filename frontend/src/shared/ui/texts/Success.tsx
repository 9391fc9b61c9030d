import { Text } from '@mantine/core'
import { formatShare, isFew, isPoor, successOf } from '@/shared/format'

/** A rate of success: red where it is poor, grey where it is of few messages. */
export function Success({ messages, failed }: { messages: number; failed: number }) {
  const counts = { messages, failed }
  const success = successOf(counts)
  const colour = isPoor(counts) ? 'var(--bad)' : isFew(counts) ? 'dimmed' : undefined
  return (
    <Text span inherit className="panel-numbers" c={colour}>
      {success === null ? '–' : formatShare(success)}
    </Text>
  )
}
