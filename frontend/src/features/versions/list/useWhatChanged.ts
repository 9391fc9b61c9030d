import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Content } from '../diff/content'
import { changedSettings, useSettingText } from '../diff/content'
import { knowledgeChanges, quoted } from '../diff/knowledge'
import { lineCounts } from '../diff/lines'
import { type VersionEdge, versionContentsQuery } from '../queries'

/** What each version changed, in words, by its number: undefined until that is known. The list does not wait for it. */
export function useWhatChanged(agentId: string, pages: VersionEdge[][]) {
  const { t } = useTranslation('versions')
  const wordsOf = useWords()
  const newest = pages[0]?.[0]?.node.number
  const after = pages.map((_, at) => pages[at - 1]?.at(-1)?.cursor ?? null)
  const contents = useQueries({
    queries: after.map((cursor) => versionContentsQuery(agentId, cursor, newest)),
    combine: (queries) => queries.map(({ data }) => data),
  })
  const known = useMemo(
    () => new Map(contents.flatMap((data) => data ?? []).map((one) => [one.number, one])),
    [contents],
  )
  return (number: number) => {
    const [version, before] = [known.get(number), known.get(number - 1)]
    if (number === 1) return t('what.first')
    return version && before && wordsOf(before, version)
  }
}

type Counted = { before: Content; counts: ReturnType<typeof lineCounts> }

/** The counts of rows on show, because a list renders again and again. */
const counted = new WeakMap<Content, Counted>()

function linesOf(before: Content, after: Content) {
  const known = counted.get(after)
  if (known?.before === before) return known.counts
  const counts = lineCounts(before.instructions, after.instructions)
  counted.set(after, { before, counts })
  return counts
}

/** Words what changes from one content of an agent to another: "Instructions +2 −0; Temperature: 0.7 → 0.3". */
export function useWords() {
  const { t } = useTranslation('versions')
  const textOf = useSettingText()
  return (before: Content, after: Content) => {
    const parts = changedSettings(before, after).map((setting) =>
      t('what.setting', {
        setting: t(`setting.${setting}`),
        before: textOf(before, setting),
        after: textOf(after, setting),
      }),
    )
    if (before.instructions !== after.instructions) parts.unshift(t('what.lines', linesOf(before, after)))
    if (before.replySchema !== after.replySchema) parts.push(t('replySchema'))
    const rows = (['variables', 'actions'] as const).flatMap((field) => rowWords(field, before, after))
    const known = knowledgeChanges(before, after).map(({ kind, names }) =>
      t(`what.knowledge.${kind}`, { count: names.length, names: quoted(t, names) }),
    )
    return [...parts, ...rows, ...known].join('; ') || t('noDifference')
  }

  function rowWords(field: 'variables' | 'actions', before: Content, after: Content) {
    const named = (kind: 'added' | 'removed' | 'changed', rows: { name: string }[]) =>
      rows.length > 0
        ? [t(`what.${field}.${kind}`, { count: rows.length, names: rows.map(({ name }) => name).join(', ') })]
        : []
    const find = (content: Content, name: string) => content[field].find((one) => one.name === name)
    const differs = (row: { name: string }) => {
      const old = find(before, row.name)
      return old !== undefined && JSON.stringify(old) !== JSON.stringify(row)
    }
    return [
      ...named(
        'added',
        after[field].filter(({ name }) => !find(before, name)),
      ),
      ...named(
        'removed',
        before[field].filter(({ name }) => !find(after, name)),
      ),
      ...named('changed', after[field].filter(differs)),
    ]
  }
}
