import { Button, Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { isDeclined, toApiError } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { errorText } from '../states/errorText'
import { RequestId } from '../states/RequestId'
import { needOverlays } from './overlays'

type Done = {
  /** Whether it stays until it is closed. */
  stays?: boolean
  /** What can be done about it, for as long as the notice is there. */
  action?: { label: string; run: () => void }
}

const shownMs = 4_000
const actionMs = 30_000

/** Notifies of success. Closes by itself, unless it `stays`; later with an action, so that there is time for it. */
export async function notifyDone(message: string, { stays = false, action }: Done = {}) {
  const { notifications } = await store()
  const id = notifications.show({
    message: action ? (
      <Group justify="space-between" gap="xs">
        {message}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      </Group>
    ) : (
      message
    ),
    color: 'green',
    icon: <IconCheck size={16} aria-hidden />,
    autoClose: stays ? false : action ? actionMs : shownMs,
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
