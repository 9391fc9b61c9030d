import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, hasCode } from '@/shared/gql'
import { Dialog, FormError, notifyDone, notifyError } from '@/shared/ui'
import { ImportTestCasesDocument, maxFile, refreshTests } from '../queries'

type Skipped = { line: number; message: string }

/** Imports test cases from a file. Unsupported parts are refused first; the user can then skip them. */
export function ImportButton({ agentId }: { agentId: string }) {
  const { t } = useTranslation('tests')
  const queryClient = useQueryClient()
  const again = useRef<() => void>(null)
  const [skipped, setSkipped] = useState<Skipped[]>()
  const { mutate, isPending, error, variables, reset } = useMutation({
    mutationFn: async ({ file, skipUnsupported }: { file: File; skipUnsupported: boolean }) => {
      if (file.size > maxFile) throw new ApiError('BAD_USER_INPUT', t('importTooLarge'), { requestId: '' })
      const { upload } = await import('@/shared/gql/upload')
      const { signal } = new AbortController()
      const input = { agentId, file, skipUnsupported }
      const { importTestCases } = await upload(ImportTestCasesDocument, input, { signal })
      await refreshTests(queryClient)
      void notifyDone(t('imported', { count: importTestCases.imported }))
      if (importTestCases.skipped.length > 0) setSkipped(importTestCases.skipped)
    },
    onError: (thrown) => isRefused(thrown) || notifyError(thrown),
    onSettled: () => again.current?.(), // or the same file could not be chosen again
  })
  return (
    <>
      <FileButton
        onChange={(file) => file && mutate({ file, skipUnsupported: false })}
        accept=".jsonl,.json,.csv"
        resetRef={again}
      >
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
      {isRefused(error) && variables && (
        <Dialog title={t('importRefused')} onClose={reset}>
          <Stack gap="md">
            <FormError error={error} />
            <Text size="sm">{t('importHelp')}</Text>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={reset} data-autofocus>
                {t('close', { ns: 'common' })}
              </Button>
              {error.fields.some(({ reason }) => reason === 'not_supported') && (
                <Button onClick={() => mutate({ file: variables.file, skipUnsupported: true })}>
                  {t('importWithout')}
                </Button>
              )}
            </Group>
          </Stack>
        </Dialog>
      )}
      {skipped && (
        <Dialog title={t('importSkipped')} onClose={() => setSkipped(undefined)}>
          <ul style={{ margin: 0, paddingInlineStart: 20 }}>
            {skipped.map(({ line, message }) => (
              <li key={line} className="panel-user-text">
                {t('importLine', { line, message })}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

const isRefused = (error: unknown) => hasCode(error, 'BAD_USER_INPUT')
