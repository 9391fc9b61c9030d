import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { saveFile } from '@/shared/download'
import { gql } from '@/shared/gql'
import { notifyError } from '@/shared/ui'
import { TestCasesDocument } from '../queries'

const pageSize = 100

/** Saves the documents of all cases, one per line, oldest first. */
export function DownloadButton({ agentId, agentName }: { agentId: string; agentName: string }) {
  const { t } = useTranslation('tests')
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const documents: string[] = []
      let after: string | null | undefined
      do {
        const { agent } = await gql(TestCasesDocument, { agentId, first: pageSize, after })
        const { nodes, pageInfo } = agent.testCases
        documents.unshift(...nodes.map(({ document }) => document).reverse())
        after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
      } while (after)
      saveFile(new Blob(documents.map((document) => `${document}\n`)), `${agentName}-tests.jsonl`)
    },
    onError: notifyError,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('download')}
    </Button>
  )
}
