import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLetterKeys } from '../useLetterKeys'

const steps = [
  { to: 'previous', key: 'k', Icon: IconChevronUp },
  { to: 'next', key: 'j', Icon: IconChevronDown },
] as const

type Props = {
  /** Goes to the neighbours; left out at either end of the list. */
  go: { previous?: () => void; next?: () => void }
  names: { previous: string; next: string }
}

/** Buttons, and the keys K and J, to the neighbours of what is open in the list that it was opened from. */
export function Steps({ go, names }: Props) {
  const { t } = useTranslation('lists')
  useLetterKeys(steps.map(({ to, key }) => [key, () => go[to]?.()]))
  if (!go.previous && !go.next) return null
  return steps.map(({ to, key, Icon }) => (
    <Tooltip key={to} label={t('stepKey', { step: names[to], key })}>
      <ActionIcon variant="default" size={32} aria-label={names[to]} disabled={!go[to]} onClick={go[to]} data-step>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  ))
}
