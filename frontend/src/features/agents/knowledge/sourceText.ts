import type { TFunction } from 'i18next'
import { formatBytes, formatNumber } from '@/shared/format'
import type { Source } from './queries'

/** Formats ascending version numbers, with consecutive ones as a range: "1, 3–5". */
export function numberRanges(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && range[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges
    .map(([first, last]) => (first === last ? formatNumber(first) : `${formatNumber(first)}–${formatNumber(last)}`))
    .join(', ')
}

type Placed = { inDraft: boolean; inVersions: readonly number[] }

/** Where a source is used: "Draft, versions 3–5". */
export function usageText(t: TFunction<'knowledge'>, { inDraft, inVersions }: Placed): string {
  const values = { count: inVersions.length, numbers: numberRanges(inVersions) }
  if (inVersions.length === 0) return t(inDraft ? 'in.draft' : 'in.nowhere')
  return inDraft ? t('in.both', { versions: t('versions', values) }) : t('onlyVersions', values)
}

/** Whether only old versions have the source: neither the draft nor a version that callers get. */
export const isUnused = ({ inDraft, inVersions }: Placed, inUse: readonly number[]) =>
  !inDraft && !inVersions.some((number) => inUse.includes(number))

type Measured = Pick<Source, 'kind' | 'pages' | 'size' | 'characters'>

/** The size of a source: "12 pages · 1.2 MB" for a file, "325 characters" for typed text. */
export function sizeText(t: TFunction<'knowledge'>, { kind, pages, size, characters }: Measured): string {
  const large = kind === 'FILE' ? formatBytes(size) : t('characters', { count: characters })
  return pages == null ? large : `${t('pages', { count: pages })} · ${large}`
}
