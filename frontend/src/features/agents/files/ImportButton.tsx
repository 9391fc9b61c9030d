import { Button, FileButton } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/shared/gql'
import { notifyDone, notifyError } from '@/shared/ui'
import { ImportAgentDocument, maxAgentFile } from './queries'

/** The service waits two minutes for the file, and then stores all that is in it. */
const timeoutMs = 300_000

/** Makes an agent of a file that was exported, and opens it. Leaving the page cancels it. */
export function ImportButton() {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const again = useRef<() => void>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const { mutate, isPending } = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxAgentFile) throw new ApiError('BAD_USER_INPUT', t('importTooLarge'), { requestId: '' })
      running.current = new AbortController()
      const { signal } = running.current
      const { upload } = await import('@/shared/gql/upload')
      const { importAgent } = await upload(ImportAgentDocument, { file }, { signal, timeoutMs })
      const { id, name } = importAgent.agent
      await queryClient.invalidateQueries({ queryKey: ['agents'], refetchType: 'none' })
      void notifyDone(t('created', { name }))
      await navigate({ to: '/agents/$id', params: { id } })
    },
    onError: (error) => running.current?.signal.aborted || notifyError(error),
    onSettled: () => again.current?.(), // or the same file could not be chosen again
  })
  return (
    <FileButton onChange={(file) => file && mutate(file)} accept=".jsonl,.json" resetRef={again}>
      {(props) => (
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
          loading={isPending}
          title={t('importHelp')}
          {...props}
        >
          {t('import')}
        </Button>
      )}
    </FileButton>
  )
}
