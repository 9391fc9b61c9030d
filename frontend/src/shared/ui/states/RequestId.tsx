import { Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The ID of a failed request, by which the service's log finds it. */
export function RequestId({ id }: { id: string }) {
  const { t } = useTranslation()
  if (!id) return null
  return (
    <Text size="xs" c="dimmed" mt={4} component="div">
      {t('error.requestId')} <Code className="panel-user-text">{id}</Code>
    </Text>
  )
}
