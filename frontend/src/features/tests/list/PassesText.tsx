import { Group, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

type Props = { passes: number; repeats: number; passed: boolean }

/** The number of passed attempts of a case, and whether they are enough. */
export function PassesText({ passes, repeats, passed }: Props) {
  const { t } = useTranslation('tests')
  const Icon = passed ? IconCircleCheck : IconCircleX
  return (
    <Group gap={4} wrap="nowrap" c={passed ? 'var(--ok)' : 'var(--bad)'}>
      <Icon size={16} role="img" aria-label={t(passed ? 'passed' : 'failed')} />
      <Text inherit span className="panel-numbers">
        {t('passes', { passes, repeats })}
      </Text>
    </Group>
  )
}
