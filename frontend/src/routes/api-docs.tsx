import { createFileRoute } from '@tanstack/react-router'
import { ApiDocsPage } from '@/features/apidocs'
import { Shell } from '@/features/shell'
import { session } from '@/shared/gql'

// Readable without a sign-in; with one it stands in the panel's frame.
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
