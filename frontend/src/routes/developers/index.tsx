import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ApiDocsPage } from '@/features/developers'
import { Shell } from '@/features/shell'
import { session } from '@/shared/gql'
import { uuid } from '../_app/-search'

// Public. When signed in, it is shown in the panel's layout.
export const Route = createFileRoute('/developers/')({
  // The export of the samples; by default the newest.
  validateSearch: z.object({ agent: uuid, export: uuid }),
  beforeLoad: async () => ({ signedIn: await session.isSignedIn().catch(() => false) }),
  component: ApiDocs,
})

function ApiDocs() {
  const { signedIn } = Route.useRouteContext()
  return (
    <Shell signedIn={signedIn}>
      <ApiDocsPage signedIn={signedIn} />
    </Shell>
  )
}
