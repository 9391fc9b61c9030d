import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { Shell } from '@/features/shell'
import { session } from '@/shared/gql'

// Everything under this route needs a sign-in.
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ location }) => {
    if (!(await session.isSignedIn())) throw redirect({ to: '/login', search: { next: location.href } })
  },
  component: App,
})

function App() {
  return (
    <Shell signedIn>
      <Outlet />
    </Shell>
  )
}
