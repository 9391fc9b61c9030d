import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { dateOf, serverNow } from '@/shared/time'
import { FormError, notifyDone } from '@/shared/ui'
import type { Control, Progress as Read } from './readPages'
import { saveFile } from './save'

export type Format = {
  /** The ending of the file's name. */
  ending: 'csv' | 'jsonl'
  read: (control: Control) => Promise<Blob>
}

type Props = {
  /** The beginning of the file's name; the day follows. */
  name: string
  formats: Format[]
}

/** Downloads a list page by page, with progress. It can be cancelled; leaving the page cancels it. */
export function Download({ name, formats }: Props) {
  const { t } = useTranslation('texts')
  const [read, setRead] = useState<Read>()
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (format: Format) => {
    const control = new AbortController()
    running.current = control
    setError(undefined)
    setRead({ rows: 0, part: 0 })
    const onProgress = (progress: Read) => !control.signal.aborted && setRead(progress)
    try {
      const file = await format.read({ onProgress, signal: control.signal })
      if (control.signal.aborted) return
      saveFile(file, `${name}-${dateOf(serverNow())}.${format.ending}`)
      void notifyDone(t('download.done'))
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
    <Stack gap="xs" align="flex-end" flex="0 1 auto">
      {read === undefined ? (
        <Choice formats={formats} run={(format) => void run(format)} />
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Stack gap={4} flex={1} miw={160}>
            <Text size="sm" className="panel-numbers" role="status">
              {t('download.progress', { count: read.rows, rows: formatNumber(read.rows) })}
            </Text>
            <Progress value={read.part * 100} aria-label={t('download.progressLabel')} />
          </Stack>
          <Button variant="default" onClick={cancel}>
            {t('download.cancel')}
          </Button>
        </Group>
      )}
      <FormError error={error} onClose={() => setError(undefined)} />
    </Stack>
  )
}

/** A button for the one format, or a menu of several. */
function Choice({ formats, run }: { formats: Format[]; run: (format: Format) => void }) {
  const { t } = useTranslation('texts')
  const button = { variant: 'default', leftSection: <IconDownload size={16} aria-hidden /> }
  const [only] = formats
  if (only && formats.length === 1) {
    return (
      <Button {...button} onClick={() => run(only)}>
        {t(`download.${only.ending}`)}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...button}>{t('download.title')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format.ending} onClick={() => run(format)}>
            {t(`download.${format.ending}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
