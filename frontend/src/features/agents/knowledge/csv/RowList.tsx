import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import classes from './RowList.module.css'

type Props = { title: string; role?: 'status'; rows: readonly { row: number; why: string }[] }

/** Rows of a file, each with its text or the reason why it is not added. */
export function RowList({ title, role, rows }: Props) {
  const { t } = useTranslation('knowledge')
  return (
    <div>
      <Text size="sm" fw={500} role={role}>
        {title}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard, too */}
      <ul className={classes.rows} aria-label={title} tabIndex={0}>
        {rows.map(({ row, why }) => (
          <li key={row} className="panel-user-text">
            {t('csv.row', { row: formatNumber(row), why })}
          </li>
        ))}
      </ul>
    </div>
  )
}
