import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Says in a dialog that its fields have what was typed before. */
export function Restored() {
  const { t } = useTranslation('agents')
  return (
    <Text size="sm" role="status">
      {t('restored')}
    </Text>
  )
}
