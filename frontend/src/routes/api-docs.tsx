import { createFileRoute } from '@tanstack/react-router'
import { ApiDocsPage } from '@/features/apidocs'
import { Shell } from '@/features/shell'
import { session } from '@/shared/gql'

// Public. When signed in, it is shown in the panel's layout.
export const Route = createFileRoute('/api-docs')({
  beforeLoad: async () => ({ signedIn: await session.isSignedIn().catch(() => false) }),
  component: ApiDocs,
})

function ApiDocs() {
  const { signedIn } = Route.useRouteContext()
  return (
    <Shell signedIn={signedIn}>
      <ApiDocsPage />
    </Shell>
  )
}
