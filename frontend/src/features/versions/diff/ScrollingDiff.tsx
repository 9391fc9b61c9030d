import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Content } from './content'
import { DiffView } from './DiffView'
import classes from './ScrollingDiff.module.css'

/** A diff that scrolls in its own box, so that a dialog's buttons stay in view. On a phone it scrolls with the dialog. */
export function ScrollingDiff({ before, after }: { before: Content; after: Content }) {
  const { t } = useTranslation('versions')
  return (
    <Box component="section" aria-label={t('changes')} tabIndex={0} className={classes.scrolling}>
      <DiffView before={before} after={after} />
    </Box>
  )
}
