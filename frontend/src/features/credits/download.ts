import type { CreditFilter } from '@/gql/graphql'
import { gql, hasCode, isPassing } from '@/shared/gql'
import { byteOrderMark, csvRecord } from './csv'
import { type CreditEntry, CreditHistoryDocument } from './queries'

const pageSize = 100
const mostTries = 4
const firstWaitMs = 500

export type Progress = {
  rows: number
  /** 0 to 1: how far back in time the pages reach, because the number of rows is not known in advance. */
  part: number
}

type Options = {
  filter: CreditFilter
  header: readonly string[]
  record: (entry: CreditEntry) => readonly (string | number | null | undefined)[]
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Reads all pages of the history, newest first, into one CSV. Entries added in the meantime are not included. */
export async function historyCsv({ filter, header, record, onProgress, signal }: Options): Promise<Blob> {
  const parts = [byteOrderMark, csvRecord(header)]
  const seen: Progress = { rows: 0, part: 0 }
  let newest: number | undefined
  let after: string | null | undefined = null
  do {
    const { viewer } = await page(filter, after, signal)
    const { nodes, pageInfo } = viewer.creditHistory
    for (const entry of nodes) parts.push(csvRecord(record(entry)))
    newest ??= Date.parse(nodes[0]?.createdAt ?? viewer.createdAt)
    const oldest = Date.parse(nodes.at(-1)?.createdAt ?? viewer.createdAt)
    const start = Math.max(Date.parse(viewer.createdAt), filter.from ? Date.parse(filter.from) : 0)
    const reached = newest > start ? Math.min((newest - oldest) / (newest - start), 1) : 1
    seen.rows += nodes.length
    seen.part = pageInfo.hasNextPage ? Math.max(reached, seen.part) : 1
    onProgress({ ...seen })
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after)
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

/** One page. Temporary failures are retried, so that one lost packet does not end a long download. */
async function page(filter: CreditFilter, after: string | null, signal: AbortSignal) {
  for (let tries = 1; ; tries++) {
    try {
      return await gql(CreditHistoryDocument, { first: pageSize, after, filter }, { signal })
    } catch (error) {
      const limited = hasCode(error, 'RATE_LIMITED')
      if (signal.aborted || tries >= mostTries || !(limited || isPassing(error))) throw error
      const wait = firstWaitMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2)
      await pause(limited ? Math.max((error.retryAfterSeconds ?? 0) * 1_000, wait) : wait, signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Saves a file through the browser. */
export function saveFile(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser needs time to start reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
