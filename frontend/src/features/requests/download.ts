import { graphql } from '@/gql'
import type { RequestFilter, RequestsToSaveQuery } from '@/gql/graphql'
import { type Control, CsvFile, readPages } from '@/shared/download'
import { gql } from '@/shared/gql'
import type { Asked } from './queries'

const pageSize = 100

const RequestsToSaveDocument = graphql(`
  query RequestsToSave($first: Int, $after: String, $filter: RequestFilter) {
    viewer {
      id
      createdAt
      requests(first: $first, after: $after, filter: $filter) {
        nodes {
          id
          requestId
          at
          outcome
          status
          code
          detail
          agent {
            id
            name
          }
          export {
            id
            name
          }
          clientAddress
          sessionId
          userId
          model
          streamed
          replayed
          credits
          durationMs
          waitedMs
          modelMs
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

type SavedRequest = NonNullable<RequestsToSaveQuery['viewer']>['requests']['nodes'][number]

/** The columns of the file, with the names that the API uses. */
const columns = {
  id: ({ id }) => id,
  requestId: ({ requestId }) => requestId,
  at: ({ at }) => at,
  outcome: ({ outcome }) => outcome,
  status: ({ status }) => status,
  code: ({ code }) => code,
  detail: ({ detail }) => detail,
  agentId: ({ agent }) => agent?.id,
  agent: ({ agent }) => agent?.name,
  exportId: (request) => request.export?.id,
  export: (request) => request.export?.name,
  clientAddress: ({ clientAddress }) => clientAddress,
  sessionId: ({ sessionId }) => sessionId,
  userId: ({ userId }) => userId,
  model: ({ model }) => model,
  streamed: ({ streamed }) => String(streamed),
  replayed: ({ replayed }) => String(replayed),
  credits: ({ credits }) => credits,
  durationMs: ({ durationMs }) => durationMs,
  waitedMs: ({ waitedMs }) => waitedMs,
  modelMs: ({ modelMs }) => modelMs,
} satisfies Record<string, (request: SavedRequest) => string | number | null | undefined>

/** One request per row, newest first. As in the list, an ID wins over the same as text. */
export async function requestsCsv({ filter, ids }: Asked, control: Control): Promise<Blob> {
  const file = new CsvFile(Object.keys(columns))
  let found = false
  const add = (request: SavedRequest) => {
    found = true
    file.add(Object.values(columns).map((column) => column(request)))
  }
  if (ids) await eachRequest(ids, control, add)
  if (!found) await eachRequest(filter, control, add)
  return file.blob()
}

/** Reads the filtered requests, one after the other, the newest first. */
export async function eachRequest(
  filter: RequestFilter,
  control: Control,
  add: (request: SavedRequest) => void,
): Promise<void> {
  await readPages<SavedRequest>({
    ...control,
    ask: async (after) => {
      const variables = { first: pageSize, after, filter }
      const { viewer } = await gql(RequestsToSaveDocument, variables, { signal: control.signal })
      const { requests, createdAt } = viewer
      return { ...requests, since: filter.from && filter.from > createdAt ? filter.from : createdAt }
    },
    timeOf: ({ at }) => at,
    take: (saved) => {
      for (const request of saved) add(request)
    },
  })
}
