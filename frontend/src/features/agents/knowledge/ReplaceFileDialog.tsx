import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '@/shared/gql/upload'
import { Dialog } from '@/shared/ui'
import { EncodingSelect } from './EncodingSelect'
import { accepted, hasEncoding } from './files/accepted'
import { FileButton } from './files/FileButton'
import { UploadList } from './files/UploadList'
import { useUploads } from './files/useUploads'
import { ReplaceKnowledgeSourceDocument } from './queries'

type Props = {
  id: string
  onClose: () => void
  /** Called with the new source's id. */
  onDone: (id: string) => void
}

/** Replaces a file in the draft. It stays open until the new file has been sent. */
export function ReplaceFileDialog({ id, onClose, onDone }: Props) {
  const { t } = useTranslation('knowledge')
  const [file, setFile] = useState<File>()
  const [encoding, setEncoding] = useState('')
  const fileButton = useRef<HTMLButtonElement>(null)
  const uploads = useUploads(
    async (file, options) => {
      const input = { id, name: file.name, file, encoding: hasEncoding(file.name) && encoding ? encoding : null }
      return (await upload(ReplaceKnowledgeSourceDocument, input, options)).replaceKnowledgeSource
    },
    ({ source: { id } }) => onDone(id),
  )
  const busy = uploads.uploads.some(({ error }) => error === undefined)
  const close = () => !busy && onClose()
  const send = () => {
    for (const failed of uploads.uploads) uploads.drop(failed)
    if (file) uploads.add([file])
  }
  return (
    <Dialog onClose={close} title={t('replaceFile')}>
      <Stack gap="md">
        <Text size="sm">{t('replaceFileHelp')}</Text>
        <Group gap="xs">
          <FileButton
            ref={fileButton}
            accept={accepted}
            disabled={busy}
            data-autofocus
            onChoose={([chosen]) => setFile(chosen)}
          >
            {t(file ? 'csv.chooseOther' : 'csv.choose')}
          </FileButton>
          {file && (
            <Text size="sm" className="panel-user-text">
              {file.name}
            </Text>
          )}
        </Group>
        {(!file || hasEncoding(file.name)) && (
          <EncodingSelect value={encoding} onChange={setEncoding} disabled={busy} />
        )}
        <UploadList uploads={uploads} filesButton={fileButton} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} disabled={busy}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button onClick={send} loading={busy} disabled={!file}>
            {t('replace')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
