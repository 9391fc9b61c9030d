import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import type { Hit } from '../queries'
import classes from './Transcript.module.css'

/** The service names as many hits of a conversation, and there may be more. */
const named = 3

type Props = {
  hits: Hit[]
  at: number
  /** Whether the words can be seen in what is shown. */
  seen: boolean
  step: (by: 1 | -1) => void
}

const steps = [
  { by: -1, key: 'shift+n', name: 'previousHit', Icon: IconArrowUp },
  { by: 1, key: 'n', name: 'nextHit', Icon: IconArrowDown },
] as const

/** Which hit is shown, and buttons and keys to the others. */
export function HitSteps({ hits, at, seen, step }: Props) {
  const { t } = useTranslation('conversations')
  useHotkeys(steps.map(({ by, key }) => [key, () => step(by)]))
  const hit = hits[at]
  const count = { count: hits.length, sum: formatNumber(hits.length) }
  const which = hits.length === named ? 'First' : ''
  return (
    <Group gap="xs" className={classes.hits}>
      <div role="status">
        <Text size="sm">
          {hit
            ? `${t(`hitOf${which}`, { ...count, at: formatNumber(at + 1) })} · ${t(hit.inReply ? 'hitReply' : 'hitMessage', { number: formatNumber(hit.number) })}`
            : t(`hits${which}`, count)}
        </Text>
        {!seen && (
          <Text size="sm" c="dimmed">
            {t('hitAsSent')}
          </Text>
        )}
      </div>
      {hits.length > (hit ? 1 : 0) &&
        steps.map(({ by, name, Icon }) => (
          <Tooltip key={name} label={t(`${name}Key`)}>
            <ActionIcon variant="default" size={32} aria-label={t(name)} onClick={() => step(by)}>
              <Icon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
    </Group>
  )
}
