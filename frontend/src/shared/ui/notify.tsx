import { IconCheck } from '@tabler/icons-react'
import { toApiError } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { errorText } from './errorText'
import { needOverlays } from './overlays'
import { RequestId } from './RequestId'

/** Says that something was done; goes by itself. */
export async function notifyDone(message: string) {
  const { notifications } = await store()
  notifications.show({ message, color: 'green', icon: <IconCheck size={16} aria-hidden />, autoClose: 4_000 })
}

/** Says that something went wrong, with the request id; stays until closed. */
export async function notifyError(thrown: unknown) {
  const { notifications } = await store()
  const error = toApiError(thrown)
  notifications.show({
    title: i18n.t('error.title'),
    message: (
      <>
        {errorText(error)}
        <RequestId id={error.requestId} />
      </>
    ),
    color: 'red',
    autoClose: false,
    role: 'alert',
  })
}

async function store() {
  void needOverlays()
  return import('@mantine/notifications')
}
