import type { ConversationFilter } from '@/gql/graphql'
import { Download } from '@/shared/download'
import { conversationsCsv, conversationsJsonl } from './download'

/** Downloads the messages of the filtered conversations. A change of the filter cancels a download. */
export function Save({ filter }: { filter: ConversationFilter }) {
  return (
    <Download
      key={JSON.stringify(filter)}
      name="conversations"
      formats={[
        { ending: 'jsonl', read: (control) => conversationsJsonl(filter, control) },
        { ending: 'csv', read: (control) => conversationsCsv(filter, control) },
      ]}
    />
  )
}
