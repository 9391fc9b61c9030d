import { hasCode, isPassing } from '@/shared/gql'

const mostTries = 4
const firstWaitMs = 500

export type Progress = {
  rows: number
  /** 0 to 1: how far back in time the pages reach, because the number of rows is not known in advance. */
  part: number
}

/** How a download is followed and cancelled. */
export type Control = { onProgress: (progress: Progress) => void; signal: AbortSignal }

type PageOf<Row> = {
  nodes: readonly Row[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
  /** The time of the oldest row that can come. */
  since: string
  /** The time to which a page without rows has looked. */
  searchedTo?: string | null
}

type Options<Row> = Control & {
  ask: (after: string | null) => Promise<PageOf<Row>>
  timeOf: (row: Row) => string | null | undefined
  /** Takes the rows of a page. */
  take: (rows: readonly Row[]) => void | Promise<void>
}

/** Reads all pages of a list, newest first. Rows added in the meantime are not included. */
export async function readPages<Row>({ ask, timeOf, take, onProgress, signal }: Options<Row>): Promise<void> {
  const seen: Progress = { rows: 0, part: 0 }
  let newest: number | undefined
  let after: string | null | undefined = null
  do {
    const cursor: string | null = after
    const page: PageOf<Row> = await retrying(() => ask(cursor), signal)
    const { nodes, pageInfo, since, searchedTo } = page
    await take(nodes)
    const [first, last] = [nodes[0], nodes.at(-1)]
    newest ??= Date.parse((first && timeOf(first)) ?? searchedTo ?? since)
    const oldest = Date.parse(searchedTo ?? (last && timeOf(last)) ?? since)
    const start = Date.parse(since)
    const reached = newest > start ? Math.min((newest - oldest) / (newest - start), 1) : 1
    seen.rows += nodes.length
    seen.part = pageInfo.hasNextPage ? Math.max(reached, seen.part) : 1
    onProgress({ ...seen })
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after)
}

/** Retries temporary failures, so that one lost packet does not end a long download. */
export async function retrying<Result>(ask: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
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
