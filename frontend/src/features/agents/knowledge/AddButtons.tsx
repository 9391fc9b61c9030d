import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type Ref, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { part } from '@/shared/ui'
import { hasDraft } from '../saving/drafts'
import { AnswerDialog } from './AnswerDialog'
import { accepted } from './files/accepted'
import { FileButton } from './files/FileButton'
import { TextDialog } from './TextDialog'

const CsvDialog = part(() => import('./csv/CsvDialog'))

type Props = { agentId: string; onFiles: (files: File[]) => void; filesButton: Ref<HTMLButtonElement> }

/** The ways to add knowledge. */
export function AddButtons({ agentId, onFiles, filesButton }: Props) {
  const { t } = useTranslation('knowledge')
  // What was typed and neither added nor cancelled is there again, as before a reload.
  const [adding, setAdding] = useState<'text' | 'answer' | 'csv' | undefined>(() =>
    (['text', 'answer'] as const).find((form) => hasDraft(agentId, form)),
  )
  const close = () => setAdding(undefined)
  const look = { variant: 'default', size: 'xs', leftSection: <IconPlus size={16} aria-hidden /> } as const
  return (
    <Group gap="xs">
      <Button {...look} onClick={() => setAdding('text')}>
        {t('addText')}
      </Button>
      <Button {...look} onClick={() => setAdding('answer')}>
        {t('addAnswer')}
      </Button>
      <FileButton ref={filesButton} {...look} accept={accepted} multiple onChoose={onFiles}>
        {t('addFiles')}
      </FileButton>
      <Button {...look} onClick={() => setAdding('csv')}>
        {t('addCsv')}
      </Button>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {t('dropHint')}
      </Text>
      {adding === 'text' && <TextDialog agentId={agentId} onClose={close} />}
      {adding === 'answer' && <AnswerDialog agentId={agentId} onClose={close} />}
      {adding === 'csv' && (
        <Suspense fallback={null}>
          <CsvDialog agentId={agentId} onClose={close} />
        </Suspense>
      )}
    </Group>
  )
}
