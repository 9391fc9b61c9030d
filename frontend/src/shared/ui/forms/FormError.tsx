import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { faultId, hasCode, isDeclined } from '@/shared/gql'
import { errorText } from '../states/errorText'
import { RequestId } from '../states/RequestId'

/** A server error in a form or dialog. It stays until closed. */
export function FormError({ error, onClose }: { error: unknown; onClose?: () => void }) {
  const { t } = useTranslation()
  if (error === undefined || error === null || isDeclined(error)) return null
  return (
    <Alert
      color="red"
      role="alert"
      withCloseButton={onClose !== undefined}
      closeButtonLabel={t('close')}
      onClose={onClose}
      py="xs"
    >
      <Text size="md">{errorText(error)}</Text>
      {hasCode(error, 'BAD_USER_INPUT') && error.fields.length > 1 && (
        <ul style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
          {error.fields.map((field) => (
            <li key={field.path}>{field.message}</li>
          ))}
        </ul>
      )}
      <RequestId id={faultId(error)} />
    </Alert>
  )
}
