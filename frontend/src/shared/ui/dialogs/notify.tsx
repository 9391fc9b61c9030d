import { IconCheck } from '@tabler/icons-react'
import { isDeclined, toApiError } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { errorText } from '../states/errorText'
import { RequestId } from '../states/RequestId'
import { needOverlays } from './overlays'

/** Notifies of success. Closes by itself, unless it `stays`. */
export async function notifyDone(message: string, { stays = false } = {}) {
  const { notifications } = await store()
  notifications.show({
    message,
    color: 'green',
    icon: <IconCheck size={16} aria-hidden />,
    autoClose: stays ? false : 4_000,
    closeButtonProps: { 'aria-label': i18n.t('close') },
  })
}

/** Notifies of an error, with the request ID. Stays until closed. */
export async function notifyError(thrown: unknown) {
  if (isDeclined(thrown)) return
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
    closeButtonProps: { 'aria-label': i18n.t('close') },
  })
}

async function store() {
  void needOverlays()
  return import('@mantine/notifications')
}
