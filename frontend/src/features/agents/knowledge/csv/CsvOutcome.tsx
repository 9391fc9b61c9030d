import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import type { AnswerRow } from '../queries'
import { RowList } from './RowList'

export type Outcome = {
  added: number
  /** The rows that were not added. */
  rows: { row: number; why: string }[]
  /** The number of further rows that a limit stopped. */
  left: number
}

/** The result of adding the rows in `before`. A new problem that several rows share is a limit. */
export function outcomeOf(added: number, before: readonly AnswerRow[], after: readonly AnswerRow[]): Outcome {
  const usable = new Set(before.flatMap(({ row, problem }) => (problem ? [] : [row])))
  const limits = new Set<string>()
  const outcome: Outcome = { added, rows: [], left: 0 }
  for (const { row, problem } of after) {
    if (!problem) continue
    if (usable.has(row) && limits.has(problem)) outcome.left++
    else outcome.rows.push({ row, why: problem })
    if (usable.has(row)) limits.add(problem)
  }
  return outcome
}

type Props = { outcome: Outcome; onClose: () => void }

/** The result of an upload that added only some of its rows. */
export function CsvOutcome({ outcome: { added, rows, left }, onClose }: Props) {
  const { t } = useTranslation('knowledge')
  const end = useRef<HTMLButtonElement>(null)
  useEffect(() => end.current?.focus(), []) // the button that had the focus has gone
  const done = t('csv.added', { count: added, amount: formatNumber(added) })
  return (
    <Stack gap="md">
      <Text role="alert">{t('csv.outcome', { done, count: rows.length, amount: formatNumber(rows.length) })}</Text>
      <RowList title={t('csv.notAdded')} rows={rows} />
      {left > 0 && <Text>{t('csv.left', { count: left, amount: formatNumber(left) })}</Text>}
      <Group justify="flex-end">
        <Button ref={end} onClick={onClose}>
          {t('csv.close')}
        </Button>
      </Group>
    </Stack>
  )
}
