import { Badge, Text } from '@mantine/core'
import { IconBan, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { RequestOutcome } from '@/gql/graphql'
import classes from './Requests.module.css'

const looks = {
  ANSWERED: { icon: IconCircleCheck, color: 'green' },
  FAILED: { icon: IconCircleX, color: 'red' },
  REFUSED: { icon: IconBan, color: 'yellow' },
} satisfies Record<RequestOutcome, unknown>

/** How a request ended, by word, icon and colour. */
export function OutcomeBadge({ outcome }: { outcome: RequestOutcome }) {
  const { t } = useTranslation('requests')
  const { icon: Icon, color } = looks[outcome]
  return (
    <Badge miw="max-content" color={color} leftSection={<Icon size={14} aria-hidden />}>
      {t(`outcomeOf.${outcome}`)}
    </Badge>
  )
}

type Props = { request: { outcome: RequestOutcome; status: number; code?: string | null; replayed: boolean } }

/** The same in a line of the log: shape and colour, the HTTP status, and the code or a word. */
export function Status({ request: { outcome, status, code, replayed } }: Props) {
  const { t } = useTranslation('requests')
  const { icon: Icon } = looks[outcome]
  return (
    <span className={classes.status}>
      <Icon size={14} aria-hidden data-outcome={outcome} />
      <span data-outcome={outcome}>{status}</span>{' '}
      <Text span inherit c="var(--text-2)" truncate>
        {code ?? t(replayed ? 'replayedWord' : 'answeredWord')}
      </Text>
    </span>
  )
}
