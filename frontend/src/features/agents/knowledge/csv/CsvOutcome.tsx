import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { toApiError } from '@/shared/gql'
import { errorText, FormError } from '@/shared/ui'
import type { Outcome } from './answers'
import { RowList } from './RowList'

type Props = {
  outcome: Outcome
  /** The rows that were not sent. */
  problems: readonly { row: number; why: string }[]
  onClose: () => void
}

/** The result of an upload that added only some of its rows. */
export function CsvOutcome({ outcome: { added, refused, left, error }, problems, onClose }: Props) {
  const { t } = useTranslation('knowledge')
  const end = useRef<HTMLButtonElement>(null)
  useEffect(() => end.current?.focus(), []) // the button that had the focus has gone
  const refusals = refused.map(({ row, error }) => ({ row, why: errorText(toApiError(error)) }))
  const rows = [...problems, ...refusals].toSorted((a, b) => a.row - b.row)
  const done = t('csv.added', { count: added, amount: formatNumber(added) })
  return (
    <Stack gap="md">
      <Text role="alert">
        {rows.length > 0
          ? t('csv.outcome', { done, count: rows.length, amount: formatNumber(rows.length) })
          : `${done}.`}
      </Text>
      {rows.length > 0 && <RowList title={t('csv.notAdded')} rows={rows} />}
      <FormError error={error} />
      {left > 0 && <Text>{t('csv.left', { count: left, amount: formatNumber(left) })}</Text>}
      <Group justify="flex-end">
        <Button ref={end} onClick={onClose}>
          {t('csv.close')}
        </Button>
      </Group>
    </Stack>
  )
}
