import { IconCheck } from '@tabler/icons-react'
import { toApiError } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { errorText } from './errorText'
import { needOverlays } from './overlays'
import { RequestId } from './RequestId'

/** Says that something was done; goes by itself, unless it `stays` until closed. */
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
    closeButtonProps: { 'aria-label': i18n.t('close') },
  })
}

async function store() {
  void needOverlays()
  return import('@mantine/notifications')
}
