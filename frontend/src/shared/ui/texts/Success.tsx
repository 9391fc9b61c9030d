import { Text } from '@mantine/core'
import { formatShare, isPoor, successOf } from '@/shared/format'

/** A rate of success, in red where it is poor. */
export function Success({ messages, failed }: { messages: number; failed: number }) {
  const success = successOf({ messages, failed })
  return (
    <Text span inherit className="panel-numbers" c={isPoor({ messages, failed }) ? 'var(--bad)' : undefined}>
      {success === null ? '–' : formatShare(success)}
    </Text>
  )
}
