import { Button, FileButton } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/shared/gql'
import { notifyDone, notifyError, part } from '@/shared/ui'
import { ImportAgentDocument, type Imported, maxAgentFile } from './queries'

/** The service waits two minutes for the file, and then stores all that is in it. */
const timeoutMs = 300_000

const ImportNotes = part(() => import('./ImportNotes'))

/** Creates an agent from a file, then opens it or shows the notes on the file. Leaving the page cancels the import. */
export function ImportButton() {
  const { t } = useTranslation('agents')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const again = useRef<() => void>(null)
  const [noted, setNoted] = useState<Imported>()
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
      if (importAgent.notes.length > 0) {
        setNoted(importAgent)
        return queryClient.invalidateQueries({ queryKey: ['agents'] })
      }
      await queryClient.invalidateQueries({ queryKey: ['agents'], refetchType: 'none' })
      void notifyDone(t('created', { name }))
      await navigate({ to: '/agents/$id', params: { id } })
    },
    onError: (error) => running.current?.signal.aborted || notifyError(error),
    onSettled: () => again.current?.(), // or the same file could not be chosen again
  })
  return (
    <>
      <FileButton onChange={(file) => file && mutate(file)} accept=".yml,.yaml,.json,.jsonl" resetRef={again}>
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
      {noted && (
        <Suspense fallback={null}>
          <ImportNotes imported={noted} onClose={() => setNoted(undefined)} />
        </Suspense>
      )}
    </>
  )
}
