import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreditFilter } from '@/gql/graphql'
import { formatNumber } from '@/shared/format'
import { FormError, notifyDone } from '@/shared/ui'
import { historyCsv, type Progress as Read, saveFile } from './download'
import type { CreditEntry } from './queries'
import { dateOf } from './range'

/** Downloads exactly the filtered rows, page by page, with progress. It can be cancelled; leaving the page cancels it. */
export function CsvDownload({ filter }: { filter: CreditFilter }) {
  const { t } = useTranslation('credits')
  const [read, setRead] = useState<Read>()
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const record = (entry: CreditEntry) => [
    entry.createdAt,
    t(`kinds.${entry.kind}`),
    entry.agentName ?? entry.agent?.name,
    entry.exportName ?? entry.export?.name,
    entry.note,
    entry.amount > 0 ? entry.amount : 0,
    entry.amount < 0 ? -entry.amount : 0,
    entry.balanceAfter,
    entry.turn?.conversationId,
    entry.id,
  ]
  const header = [
    t('csv.time'),
    t('kind'),
    t('agent'),
    t('export'),
    t('csv.note'),
    t('csv.added'),
    t('csv.taken'),
    t('balanceAfter'),
    t('csv.conversation'),
    t('csv.entry'),
  ]

  const run = async () => {
    const control = new AbortController()
    running.current = control
    setError(undefined)
    setRead({ rows: 0, part: 0 })
    const onProgress = (progress: Read) => !control.signal.aborted && setRead(progress)
    try {
      const file = await historyCsv({ filter, header, record, onProgress, signal: control.signal })
      if (control.signal.aborted) return
      saveFile(file, `credits-${dateOf(Date.now())}.csv`)
      void notifyDone(t('csv.done'))
    } catch (thrown) {
      if (!control.signal.aborted) setError(thrown)
    } finally {
      if (running.current === control) setRead(undefined)
    }
  }
  const cancel = () => {
    running.current?.abort()
    setRead(undefined)
  }

  return (
    <Stack gap="xs">
      {read === undefined ? (
        <Group justify="flex-end">
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void run()}>
            {t('csv.download')}
          </Button>
        </Group>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Stack gap={4} flex={1}>
            <Text size="sm" className="panel-numbers" role="status">
              {t('csv.progress', { count: read.rows, rows: formatNumber(read.rows) })}
            </Text>
            <Progress value={read.part * 100} aria-label={t('csv.progressLabel')} />
          </Stack>
          <Button variant="default" onClick={cancel}>
            {t('csv.cancel')}
          </Button>
        </Group>
      )}
      <FormError error={error} onClose={() => setError(undefined)} />
    </Stack>
  )
}
