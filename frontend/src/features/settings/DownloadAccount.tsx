import { Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, gql } from '@/shared/gql'
import { FormError, notifyDone, PendingButton } from '@/shared/ui'
import { CreateAccountDownloadDocument } from './queries'

/** Downloads all data of the account through the browser, because it may not fit into the page's memory. */
export function DownloadAccount() {
  const { t } = useTranslation('settings')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => {
      const { createAccountDownload } = await gql(CreateAccountDownloadDocument)
      // The service's own address may differ from this page's.
      const { pathname, search } = new URL(createAccountDownload.url)
      const path = pathname + search
      await check(path, t('download.busy'))
      const link = document.createElement('a')
      link.href = path
      link.download = ''
      link.click()
    },
    onSuccess: () => notifyDone(t('download.started')),
  })
  return (
    <Stack gap="sm">
      <FormError error={error} onClose={reset} />
      <Group>
        <PendingButton variant="default" pending={isPending} onClick={() => mutate()}>
          {t('download.start')}
        </PendingButton>
      </Group>
    </Stack>
  )
}

/** Throws an ApiError if a link would not download anything: the browser would not tell the page. */
async function check(path: string, busy: string) {
  const response = await fetch(path, { method: 'HEAD' }).catch((cause: unknown) => {
    throw new ApiError('NETWORK', '', { requestId: '', cause })
  })
  if (response.ok) return
  const requestId = response.headers.get('X-Request-Id') ?? ''
  throw response.status === 429
    ? new ApiError('CONFLICT', busy, { requestId })
    : new ApiError('UNAVAILABLE', '', { requestId })
}
