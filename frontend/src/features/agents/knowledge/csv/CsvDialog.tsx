import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { upload } from '@/shared/gql/upload'
import { Dialog, FormError, notifyDone } from '@/shared/ui'
import { type Candidate, EncodingSelect } from '../EncodingSelect'
import { FileButton } from '../files/FileButton'
import { type AnswerRow, ImportKnowledgeAnswersDocument, refreshKnowledge } from '../queries'
import { CsvOutcome, type Outcome, outcomeOf } from './CsvOutcome'
import { RowList } from './RowList'

/** The largest file that the service takes, in bytes. */
const maxImport = 1_024 ** 2
/** The answers that are listed before they are added. */
const maxShown = 100
/** 5,000 answers take some seconds. */
const timeoutMs = 5 * 60_000

type Props = { agentId: string; onClose: () => void }

/** A file, and how it is read: '' and null are detected. */
type Choice = { file: File; encoding: string; header: boolean | null }

type Read = {
  header: boolean
  rows: AnswerRow[]
  /** What the service noted besides the encoding. */
  notes: string[]
  isCertain: boolean
}

const isAbort = (error: Error) => error.name === 'AbortError'

/** Adds the questions and answers of a CSV file, and says which rows were not added, and why. */
export default function CsvDialog({ agentId, onClose }: Props) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const [choice, setChoice] = useState<Choice>()
  const [read, setRead] = useState<Read>()
  const [candidates, setCandidates] = useState<Candidate[]>([])
  const [outcome, setOutcome] = useState<Outcome>()
  const control = useRef<AbortController>(undefined)
  useEffect(() => () => control.current?.abort(), [])

  const send = async ({ file, encoding, header }: Choice, add: boolean) => {
    control.current?.abort()
    const running = new AbortController()
    control.current = running
    const { signal } = running
    const input = { agentId, file, encoding: encoding || null, header, add }
    return (await upload(ImportKnowledgeAnswersDocument, input, { signal, timeoutMs })).importKnowledgeAnswers
  }
  const reading = useMutation({
    mutationFn: async (next: Choice) => {
      if (next.file.size > maxImport) throw new Error(t('csv.tooLarge'))
      const { header, rows, notes } = await send(next, false)
      const possible = notes.filter(({ code }) => code === 'ENCODING')
      if (next.encoding === '') setCandidates(possible)
      const others = notes.filter(({ code }) => code !== 'ENCODING').map(({ message }) => message)
      setRead({ header, rows, notes: others, isCertain: possible.length === 0 })
    },
    onMutate: (next) => {
      if (next.file !== choice?.file) {
        setRead(undefined)
        setCandidates([])
      }
      setChoice(next)
      adding.reset()
    },
    onError: (error) => isAbort(error) || setRead(undefined),
  })
  const adding = useMutation({
    mutationFn: async ({ choice, read }: { choice: Choice; read: Read }) => {
      const { added, rows } = await send({ ...choice, header: read.header }, true)
      if (added > 0) await refreshKnowledge(queryClient)
      if (rows.some(({ problem }) => problem)) return setOutcome(outcomeOf(added, read.rows, rows))
      void notifyDone(t('csv.added', { count: added, amount: formatNumber(added) }))
      onClose()
    },
    onError: (error, { choice }) => {
      void refreshKnowledge(queryClient) // some may have been added
      if (isAbort(error)) reading.mutate(choice) // shows which
    },
  })
  const stop = () => control.current?.abort()
  const close = () => !adding.isPending && onClose()
  const usable = read?.rows.filter(({ problem }) => !problem) ?? []
  const problems = read?.rows.flatMap(({ row, problem }) => (problem ? [{ row, why: problem }] : [])) ?? []
  const ready = read?.isCertain && usable.length > 0 && !reading.isPending
  return (
    <Dialog onClose={close} title={t('csv.title')} size={560}>
      {outcome ? (
        <CsvOutcome outcome={outcome} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <Text size="sm">{t('csv.help')}</Text>
          <Group gap="xs">
            <FileButton
              accept=".csv,.tsv,.txt"
              disabled={adding.isPending}
              data-autofocus
              onChoose={([file]) => file && reading.mutate({ file, encoding: '', header: null })}
            >
              {t(choice ? 'csv.chooseOther' : 'csv.choose')}
            </FileButton>
            {choice && (
              <Text size="sm" className="panel-user-text">
                {choice.file.name}
              </Text>
            )}
          </Group>
          {candidates.length > 0 && <Text size="sm">{t('encodingWhich')}</Text>}
          {choice && (
            <EncodingSelect
              value={choice.encoding}
              candidates={candidates}
              disabled={adding.isPending}
              onChange={(encoding) => reading.mutate({ ...choice, encoding })}
            />
          )}
          <FormError error={reading.error ?? adding.error} />
          {choice && read && (
            <>
              <Checkbox
                label={t('csv.header')}
                checked={read.header}
                disabled={adding.isPending}
                onChange={({ currentTarget }) => reading.mutate({ ...choice, header: currentTarget.checked })}
              />
              {read.notes.map((note) => (
                <Text key={note} size="sm">
                  {note}
                </Text>
              ))}
              <Found usable={usable} />
            </>
          )}
          {problems.length > 0 && <RowList title={t('csv.leftOut', { count: problems.length })} rows={problems} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={adding.isPending ? stop : onClose}>
              {t(adding.isPending ? 'csv.stop' : 'csv.cancel')}
            </Button>
            <Button
              disabled={!ready}
              loading={adding.isPending}
              onClick={() => choice && read && adding.mutate({ choice, read })}
            >
              {t('csv.add', { count: usable.length, amount: formatNumber(usable.length) })}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

/** The number of answers, and the first of them, which show whether the columns and the letters are right. */
function Found({ usable }: { usable: readonly AnswerRow[] }) {
  const { t } = useTranslation('knowledge')
  const shown = usable.slice(0, maxShown).map(({ row, questions, answer }) => ({
    row,
    why: `${questions.join(' / ')} → ${answer}`,
  }))
  const title = t('csv.found', { count: usable.length, amount: formatNumber(usable.length) })
  return shown.length > 0 ? <RowList role="status" title={title} rows={shown} /> : <Text role="status">{title}</Text>
}
