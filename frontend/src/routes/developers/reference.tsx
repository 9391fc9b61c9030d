import { createFileRoute } from '@tanstack/react-router'
import { ApiDocsPage } from '@/features/developers'
import { Shell } from '@/features/shell'
import { session } from '@/shared/gql'

// Public. When signed in, it is shown in the panel's layout.
export const Route = createFileRoute('/developers/reference')({
  beforeLoad: async () => ({ signedIn: await session.isSignedIn().catch(() => false) }),
  component: Reference,
})

function Reference() {
  const { signedIn } = Route.useRouteContext()
  return (
    <Shell signedIn={signedIn}>
      <ApiDocsPage signedIn={signedIn} />
    </Shell>
  )
}
