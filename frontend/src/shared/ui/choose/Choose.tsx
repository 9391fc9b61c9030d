import { Button, Checkbox, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Table } from '../tables/Table'
import type { Chosen } from './useChosen'

/** The cell in a table's head that chooses all rows on show. */
export function ChooseAll({ chosen, rowSpan }: { chosen: Chosen; rowSpan?: number }) {
  const { t } = useTranslation()
  return (
    <Table.Th w={40} rowSpan={rowSpan} className="panel-choose">
      <Checkbox
        size="xs"
        aria-label={t('choose.all')}
        checked={chosen.isAll}
        indeterminate={!chosen.isAll && chosen.rows.length > 0}
        onChange={(event) => chosen.chooseAll(event.currentTarget.checked)}
      />
    </Table.Th>
  )
}

/** The first cell of a row, which chooses it; with Shift, all rows from the one before. */
export function ChooseRow({ chosen, id, name }: { chosen: Chosen; id: string; name: string }) {
  const { t } = useTranslation()
  return (
    <Table.Td className="panel-choose">
      <Checkbox
        size="xs"
        className="panel-row-control"
        aria-label={t('choose.row', { name })}
        checked={chosen.has(id)}
        onChange={({ currentTarget, nativeEvent }) =>
          chosen.choose(id, currentTarget.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
        }
      />
    </Table.Td>
  )
}

/** What can be done to the chosen rows. In view as long as there are any, and over no row but the last. */
export function ChosenBar({ chosen, children }: { chosen: Chosen; children: ReactNode }) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const shown = chosen.rows.length > 0
  const wasShown = useRef(false)
  useEffect(() => {
    // Its buttons go with it, and one of them may have had the focus.
    if (wasShown.current && !shown && document.activeElement === document.body) place.current?.focus()
    wasShown.current = shown
  }, [shown])
  if (!shown) return <div ref={place} tabIndex={-1} style={{ outline: 'none' }} />
  return (
    <section className="panel-chosen" aria-label={t('choose.bar')}>
      <Text size="sm" fw={500} role="status">
        {t('choose.count', { count: chosen.rows.length })}
      </Text>
      <Group gap="xs">{children}</Group>
      <Group gap="xs" ml="auto">
        {!chosen.isAll && (
          <Button size="xs" variant="subtle" onClick={() => chosen.chooseAll(true)}>
            {t('choose.all')}
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={() => chosen.chooseAll(false)}>
          {t('choose.none')}
        </Button>
      </Group>
    </section>
  )
}
