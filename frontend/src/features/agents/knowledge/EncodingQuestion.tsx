import { Group, Paper, Radio, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { FormError, PendingButton } from '@/shared/ui'
import { EncodingSelect } from './EncodingSelect'
import classes from './Knowledge.module.css'
import { type OpenSource, RetryKnowledgeSourceDocument, refreshKnowledge } from './queries'

/** Asks for the encoding of a file that could not be read: one of its candidates, with the best selected at first, or another one. */
export function EncodingQuestion({ source }: { source: OpenSource }) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const candidates = source.notes.filter(({ code, encoding }) => code === 'ENCODING' && encoding)
  const best = candidates[0]?.encoding ?? undefined
  const [encoding, setEncoding] = useState(best ?? '')
  const isCandidate = candidates.some((one) => one.encoding === encoding)
  const retry = useMutation({
    mutationFn: async () => {
      await gql(RetryKnowledgeSourceDocument, { input: { id: source.id, encoding } })
      document.activeElement?.closest<HTMLElement>('[role="dialog"]')?.focus() // the button disappears
      await refreshKnowledge(queryClient)
    },
  })
  return (
    <Stack gap="sm">
      {candidates.length > 0 && (
        <Radio.Group label={t('encodingWhich')} value={encoding} onChange={setEncoding}>
          <Paper className={`panel-list ${classes.choices}`} mt="xs">
            {candidates.map((one) => (
              <Radio
                key={one.encoding}
                value={one.encoding ?? ''}
                classNames={{ root: classes.choice, labelWrapper: classes.reading }}
                label={
                  <>
                    <span translate="no">{one.encoding}</span>
                    <span dir="auto" translate="no" className={`panel-user-text ${classes.sample}`}>
                      {one.sample}
                    </span>
                  </>
                }
              />
            ))}
          </Paper>
        </Radio.Group>
      )}
      <EncodingSelect
        label={best && t('encodingOther')}
        none={best && ''}
        value={isCandidate ? '' : encoding}
        onChange={(other) => setEncoding(other || (best ?? ''))}
      />
      <FormError error={retry.error} onClose={retry.reset} />
      {encoding !== '' && (
        <Group>
          <PendingButton size="xs" pending={retry.isPending} onClick={() => retry.mutate()}>
            {t('encodingUse')}
          </PendingButton>
        </Group>
      )}
    </Stack>
  )
}
