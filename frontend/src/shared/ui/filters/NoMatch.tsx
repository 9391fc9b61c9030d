import { Paper } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../states/states'

/** Shown when the filters leave no rows. The filter bar has the button that clears them. */
export function NoMatch(props: ComponentProps<typeof EmptyState>) {
  const { t } = useTranslation('lists')
  return (
    <Paper>
      <EmptyState text={t('noMatchText')} {...props} />
    </Paper>
  )
}
