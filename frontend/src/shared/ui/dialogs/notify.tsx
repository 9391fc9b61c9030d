import { Button, Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { faultId, isDeclined } from '@/shared/gql'
import { i18n } from '@/shared/i18n'
import { errorText } from '../states/errorText'
import { RequestId } from '../states/RequestId'
import { showToast } from './toasts'

type Action = { label: string; run: () => void }

type Done = {
  /** Whether it stays until it is closed. */
  stays?: boolean
  /** What can be done about it, for as long as the notice is there. */
  action?: Action
}

const shownMs = 4_000
const actionMs = 30_000

/** Notifies of success. Closes by itself, unless it `stays`; later with an action, so that there is time for it. */
export function notifyDone(message: string, { stays = false, action }: Done = {}) {
  const close = showToast({
    children: action ? <WithAction message={message} action={action} close={() => close()} /> : message,
    color: 'green',
    icon: <IconCheck size={16} aria-hidden />,
    closesAfter: stays ? undefined : action ? actionMs : shownMs,
  })
}

/** Notifies of a problem that the action may solve. Stays until closed. Returns what closes it. */
export function notifyProblem(message: string, action: Action): () => void {
  const close = showToast({
    children: <WithAction message={message} action={action} close={() => close()} />,
    color: 'red',
  })
  return close
}

/** Notifies of an error. Stays until closed. */
export function notifyError(error: unknown) {
  if (isDeclined(error)) return
  showToast({
    title: i18n.t('error.title'),
    children: (
      <>
        {errorText(error)}
        <RequestId id={faultId(error)} />
      </>
    ),
    color: 'red',
  })
}

function WithAction({ message, action, close }: { message: string; action: Action; close: () => void }) {
  return (
    <Group justify="space-between" gap="xs">
      {message}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => {
          close()
          action.run()
        }}
      >
        {action.label}
      </Button>
    </Group>
  )
}
