import { ActionIcon, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { neighbours } from './stepping'

const steps = [
  { to: 'previous', key: 'k', Icon: IconChevronUp },
  { to: 'next', key: 'j', Icon: IconChevronDown },
] as const

/** Buttons and keys to the neighbours in the list from which the conversation was opened. */
export function Steps({ id }: { id: string }) {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const known = neighbours(id)
  const go = (to?: string) => to && void navigate({ to: '/conversations/$id', params: { id: to } })
  useHotkeys(steps.map(({ to, key }) => [key, () => go(known[to])]))
  if (!known.previous && !known.next) return null
  return steps.map(({ to, key, Icon }) => (
    <Tooltip key={to} label={t('stepKey', { step: t(to), key })}>
      <ActionIcon variant="default" size={32} aria-label={t(to)} disabled={!known[to]} onClick={() => go(known[to])}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  ))
}
