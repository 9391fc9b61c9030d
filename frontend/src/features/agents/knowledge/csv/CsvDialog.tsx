import { Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/format'
import { gql } from '@/shared/gql'
import { Dialog, FormError, notifyDone } from '@/shared/ui'
import { maxFile } from '../files/accepted'
import { FileButton } from '../files/FileButton'
import { AddKnowledgeAnswerDocument, refreshKnowledge } from '../queries'
import { type Answer, addAll, answersIn, type Outcome } from './answers'
import { CsvOutcome } from './CsvOutcome'
import { RowList } from './RowList'

type Props = { agentId: string; onClose: () => void }

type Chosen = { name: string; answers: Answer[]; header: boolean }

/** Adds the questions and answers of a CSV file, and says which rows were not added, and why. */
export default function CsvDialog({ agentId, onClose }: Props) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<Chosen>()
  const [done, setDone] = useState(0)
  const [outcome, setOutcome] = useState<Outcome>()
  const control = useRef<AbortController>(undefined)
  useEffect(() => () => control.current?.abort(), [])

  const choose = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxFile) throw new Error(t('files.tooLarge'))
      setChosen({ name: file.name, ...answersIn(new Uint8Array(await file.arrayBuffer())) })
    },
    onMutate: () => setChosen(undefined),
  })
  const rows = chosen ? chosen.answers.slice(chosen.header ? 1 : 0) : []
  const usable = rows.filter(({ problem }) => problem === undefined)
  const adding = useMutation({
    mutationFn: async () => {
      const running = new AbortController()
      control.current = running
      setDone(0)
      const add = ({ questions, answer }: Answer) =>
        gql(AddKnowledgeAnswerDocument, { input: { agentId, questions, answer } })
      const end = await addAll(usable, add, { signal: running.signal, onProgress: setDone })
      if (end.added > 0) await refreshKnowledge(queryClient)
      if (end.left > 0 || end.refused.length > 0 || usable.length < rows.length) return setOutcome(end)
      void notifyDone(t('csv.added', { count: end.added, amount: formatNumber(end.added) }))
      onClose()
    },
  })
  const close = () => !adding.isPending && onClose()
  const problems = rows.flatMap(({ row, problem }) => (problem ? [{ row, why: t(`csv.${problem}`) }] : []))
  return (
    <Dialog onClose={close} title={t('csv.title')} size={560}>
      {outcome ? (
        <CsvOutcome outcome={outcome} problems={problems} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <Text size="sm">{t('csv.help')}</Text>
          <Group gap="xs">
            <FileButton
              accept=".csv,.tsv,.txt"
              disabled={adding.isPending}
              data-autofocus
              onChoose={([file]) => file && choose.mutate(file)}
            >
              {t(chosen ? 'csv.chooseOther' : 'csv.choose')}
            </FileButton>
            {chosen && (
              <Text size="sm" className="panel-user-text">
                {chosen.name}
              </Text>
            )}
          </Group>
          <FormError error={choose.error} />
          {chosen && chosen.answers.length > 0 && (
            <Checkbox
              label={t('csv.header')}
              checked={chosen.header}
              disabled={adding.isPending}
              onChange={({ currentTarget }) => setChosen({ ...chosen, header: currentTarget.checked })}
            />
          )}
          {chosen && <Found usable={usable} />}
          {problems.length > 0 && <RowList title={t('csv.leftOut', { count: problems.length })} rows={problems} />}
          {adding.isPending && (
            <div>
              <Text size="sm" role="status" className="panel-numbers">
                {t('csv.progress', { done: formatNumber(done), count: formatNumber(usable.length) })}
              </Text>
              <Progress size={4} mt={4} value={(done / usable.length) * 100} aria-label={t('csv.progressLabel')} />
            </div>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={adding.isPending ? () => control.current?.abort() : onClose}>
              {t(adding.isPending ? 'csv.stop' : 'csv.cancel')}
            </Button>
            <Button disabled={usable.length === 0} loading={adding.isPending} onClick={() => adding.mutate()}>
              {t('csv.add', { count: usable.length, amount: formatNumber(usable.length) })}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

/** How many answers there are, and the first of them: it shows whether the columns and the letters are right. */
function Found({ usable }: { usable: readonly Answer[] }) {
  const { t } = useTranslation('knowledge')
  const [first] = usable
  return (
    <div>
      <Text role="status">{t('csv.found', { count: usable.length, amount: formatNumber(usable.length) })}</Text>
      {first && (
        <Text size="sm" c="dimmed" lineClamp={3} className="panel-user-text">
          {t('csv.first', { question: first.questions[0], answer: first.answer })}
        </Text>
      )}
    </div>
  )
}
