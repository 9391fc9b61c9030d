import { Button, Center, Paper, Progress, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '@/shared/format'
import { AppLink, TableScroll } from '@/shared/ui'
import { Failures, Messages } from './Behind'
import type { UsageData, UsageRow } from './queries'
import { Swatch } from './Swatch'
import { countOf, keyOf } from './series'
import classes from './Usage.module.css'
import { useNames } from './useNames'

const shownAtFirst = 50

type Props = {
  data: UsageData
  /** The rows in the order of the bars. */
  rows: UsageRow[]
  colourOf: (at: number) => string
  sum: number
}

/** The sums behind the bars, with their colours. Each figure leads to what is behind it. */
export function UsageTable({ data, rows, colourOf, sum }: Props) {
  const { t } = useTranslation('usage')
  const [whole, setWhole] = useState(false)
  const names = useNames(data.split)
  const shown = whole ? rows : rows.slice(0, shownAtFirst)
  const [times] = data.total
  const total = (of: (row: UsageRow) => number) => formatNumber(rows.reduce((all, row) => all + of(row), 0))
  return (
    <Paper mt="lg" style={{ overflow: 'hidden' }}>
      <TableScroll label={t('title')}>
        <Table miw={900} className="panel-numbers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="28%">{t(`splits.${data.split}`)}</Table.Th>
              <Table.Th ta="right">{t('credits')}</Table.Th>
              <Table.Th w="14%">{t('share')}</Table.Th>
              <Table.Th ta="right">{t('messages')}</Table.Th>
              <Table.Th ta="right">{t('failed')}</Table.Th>
              <Table.Th ta="right">{t('refused')}</Table.Th>
              <Table.Th ta="right">{t('tokens')}</Table.Th>
              <Table.Th ta="right">{t('median')}</Table.Th>
              <Table.Th ta="right">{t('p95')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row, at) => (
              <Table.Tr key={keyOf(data.split, row)}>
                <Table.Td className="panel-user-text">
                  <Swatch colour={colourOf(at)} /> <Name split={data.split} row={row} name={names(row)} />
                </Table.Td>
                <Table.Td ta="right">{formatNumber(row.credits)}</Table.Td>
                <Table.Td>
                  <Share part={countOf(data.split, row)} sum={sum} />
                </Table.Td>
                <Table.Td ta="right">
                  <Messages split={data.split} row={row} />
                </Table.Td>
                <Table.Td ta="right">
                  <Failures split={data.split} row={row} outcome="FAILED" />
                </Table.Td>
                <Table.Td ta="right">
                  <Failures split={data.split} row={row} outcome="REFUSED" />
                </Table.Td>
                <Table.Td ta="right">{formatNumber(row.inputTokens + row.outputTokens)}</Table.Td>
                <Table.Td ta="right">{time(row.durationP50Ms)}</Table.Td>
                <Table.Td ta="right">{time(row.durationP95Ms)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          {/* Added up here, so that the foot always agrees with the rows. */}
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row" bg="none">
                {t('together')}
              </Table.Th>
              <Table.Td ta="right">{total((row) => row.credits)}</Table.Td>
              <Table.Td />
              <Table.Td ta="right">{total((row) => row.messages)}</Table.Td>
              <Table.Td ta="right">{total((row) => row.failed)}</Table.Td>
              <Table.Td ta="right">{total((row) => row.refused)}</Table.Td>
              <Table.Td ta="right">{total((row) => row.inputTokens + row.outputTokens)}</Table.Td>
              <Table.Td ta="right">{time(times?.durationP50Ms)}</Table.Td>
              <Table.Td ta="right">{time(times?.durationP95Ms)}</Table.Td>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </TableScroll>
      {shown.length < rows.length && (
        <Center p="sm">
          <Button variant="default" onClick={() => setWhole(true)}>
            {t('showAll', { count: rows.length })}
          </Button>
        </Center>
      )}
    </Paper>
  )
}

/** What a row stands for. An export and a person lead to their pages. */
function Name({ split, row, name }: { split: UsageData['split']; row: UsageRow; name: string }) {
  if (split === 'user' && row.userId != null) {
    return (
      <AppLink to="/people/person" search={{ id: row.userId }} inherit>
        {name}
      </AppLink>
    )
  }
  if (split !== 'export' || !row.export) return name
  return (
    <AppLink to="/exports/$id" params={{ id: row.export.id }} inherit>
      {name}
    </AppLink>
  )
}

const time = (ms: number | null | undefined) => (ms == null ? '–' : formatDuration(ms))

function Share({ part, sum }: { part: number; sum: number }) {
  const share = sum === 0 ? 0 : part / sum
  return (
    <div className={classes.share}>
      <Progress value={share * 100} color="gray" size={4} flex={1} aria-hidden />
      <Text size="sm" w={52} ta="right">
        {`${formatNumber(Math.round(share * 1000) / 10)} %`}
      </Text>
    </div>
  )
}
