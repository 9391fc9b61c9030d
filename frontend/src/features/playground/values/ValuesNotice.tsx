import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Values } from './useValues'

/** Says which values keep a message from being sent. */
export function ValuesNotice({ values: { missing, tooLong } }: { values: Values }) {
  const { t } = useTranslation('playground')
  if (missing.length === 0 && !tooLong) return null
  return (
    <Text size="sm" c="var(--warn)" role="status" className="panel-user-text">
      {missing.length > 0 ? t('missing', { count: missing.length, names: missing.join(', ') }) : t('valueTooLong')}
    </Text>
  )
}
