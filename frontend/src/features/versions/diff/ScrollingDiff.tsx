import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Content } from './content'
import { DiffView } from './DiffView'

/** A diff that scrolls in its own box, so that a dialog's buttons stay in view. */
export function ScrollingDiff({ before, after }: { before: Content; after: Content }) {
  const { t } = useTranslation('versions')
  return (
    <Box component="section" aria-label={t('changes')} tabIndex={0} mah="50dvh" style={{ overflowY: 'auto' }}>
      <DiffView before={before} after={after} />
    </Box>
  )
}
