import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gql, hasCode } from '@/shared/gql'
import { ErrorState, errorText, inLanes, isTooLong, useAllPages } from '@/shared/ui'
import { maxInstructions } from '../queries'
import type { Outcome } from './Outcomes'
import { Preview } from './Preview'
import { candidatesQuery, ReplaceInstructionsDocument } from './queries'
import { maxFind, type Replacement, replaceIn } from './replacing'

const searchAfterMs = 400

type Props = { onClose: () => void; onReplaced: (outcome: Outcome) => void }

/** What is replaced by what, and in which drafts. */
export function ReplaceForm({ onClose, onReplaced }: Props) {
  const { t } = useTranslation('agents')
  const [typed, setTyped] = useState<Replacement>({ find: '', replaceWith: '', matchCase: false })
  const [replacement] = useDebouncedValue(typed, searchAfterMs)
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const query = useInfiniteQuery({ ...candidatesQuery(replacement.find), enabled: replacement.find !== '' })
  useAllPages(query)
  const { data, hasNextPage, error, refetch, fetchNextPage } = query

  const matches = useMemo(() => {
    const candidates = replacement.find === '' ? [] : (data?.pages.flatMap(({ agents }) => agents.nodes) ?? [])
    return candidates.flatMap((agent) => {
      const found = replaceIn(agent.instructions, replacement)
      if (found.matches === 0) return []
      const tooLong = isTooLong(found.after, maxInstructions)
      return { ...agent, ...found, skip: tooLong ? t('replace.skipTooLong') : undefined }
    })
  }, [data, replacement, t])
  const ready = data !== undefined && !hasNextPage && typed === replacement
  const chosen = matches.filter(({ id, skip }) => !skip && !skipped.has(id))

  const replace = useMutation({
    mutationFn: async () => {
      const ends = await inLanes(chosen, ({ id, after, updatedAt }) =>
        gql(ReplaceInstructionsDocument, { input: { id, instructions: after, expectedUpdatedAt: updatedAt } }),
      )
      const failed = chosen.flatMap((match, at) => {
        const end = ends[at]
        if (end?.status !== 'rejected') return []
        const isChanged = hasCode(end.reason, 'CONFLICT')
        return { ...match, skip: isChanged ? t('replace.skipChanged') : errorText(end.reason) }
      })
      onReplaced({
        changed: chosen.filter((_, at) => ends[at]?.status === 'fulfilled'),
        skipped: [...failed, ...matches.filter(({ skip }) => skip)],
      })
    },
  })
  const set = (part: Partial<Replacement>) => setTyped((old) => ({ ...old, ...part }))
  const field = { autosize: true, minRows: 1, maxRows: 4, disabled: replace.isPending }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        replace.mutate()
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('replace.help')}
        </Text>
        <Textarea
          {...field}
          label={t('replace.find')}
          maxLength={maxFind}
          value={typed.find}
          onChange={({ currentTarget }) => set({ find: currentTarget.value })}
          data-autofocus
        />
        <Textarea
          {...field}
          label={t('replace.with')}
          maxLength={maxInstructions}
          value={typed.replaceWith}
          onChange={({ currentTarget }) => set({ replaceWith: currentTarget.value })}
        />
        <Checkbox
          label={t('replace.matchCase')}
          checked={typed.matchCase}
          disabled={replace.isPending}
          onChange={({ currentTarget }) => set({ matchCase: currentTarget.checked })}
        />
        {typed.find !== '' && (
          <Text size="sm" role="status">
            {ready ? <Found matches={matches} /> : <Searching pages={data?.pages ?? []} />}
          </Text>
        )}
        {error && <ErrorState error={error} onRetry={() => void (data ? fetchNextPage() : refetch())} />}
        <Preview matches={matches} skipped={skipped} setSkipped={setSkipped} disabled={replace.isPending} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={replace.isPending}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" disabled={!ready || chosen.length === 0} loading={replace.isPending}>
            {t('replace.submit', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Found({ matches }: { matches: { matches: number }[] }) {
  const { t } = useTranslation('agents')
  const sum = matches.reduce((before, match) => before + match.matches, 0)
  if (sum === 0) return t('replace.none')
  return t('replace.found', { count: matches.length, matches: t('replace.matches', { count: sum }) })
}

type Searched = { agents: { nodes: unknown[]; totalCount: number } }

function Searching({ pages }: { pages: Searched[] }) {
  const { t } = useTranslation('agents')
  const done = pages.reduce((sum, { agents }) => sum + agents.nodes.length, 0)
  const count = pages[0]?.agents.totalCount
  return count === undefined ? t('loading', { ns: 'common' }) : t('replace.searching', { done, count })
}
