import { ActionIcon, Group } from '@mantine/core'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import type { Rating } from './ratings'

const values = [
  { value: 'UP', name: 'rating.good', Icon: IconThumbUp },
  { value: 'DOWN', name: 'rating.bad', Icon: IconThumbDown },
] as const

/** The team's rating of a reply. Pressing a button gives it; pressing it again withdraws it. */
export function RatingButtons({ rating: { team, rate, isPending } }: { rating: Rating }) {
  const { t } = useTranslation('texts')
  if (!useMay('EDITOR')) return null
  const buttons = values.map(({ value, name, Icon }) => {
    const given = team?.value === value
    return (
      <ActionIcon
        key={value}
        size={24}
        variant={given ? 'light' : 'subtle'}
        color={given ? undefined : 'gray'}
        aria-label={t(name)}
        title={t(name)}
        aria-pressed={given}
        aria-disabled={isPending || undefined}
        onClick={() => isPending || void rate({ value: given ? null : value })}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    )
  })
  return (
    <Group component="span" gap={8} wrap="nowrap">
      {buttons}
    </Group>
  )
}
