import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../states/states'

type Props = { title: string; text?: ReactNode; action?: ReactNode }

/** Shown when the filters leave no rows. The filter bar has the button that clears them. */
export function NoMatch({ title, text, action }: Props) {
  const { t } = useTranslation('lists')
  return (
    <Paper>
      <EmptyState title={title} text={text ?? t('noMatchText')} action={action} />
    </Paper>
  )
}
