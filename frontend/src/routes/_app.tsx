import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, type ErrorComponentProps, Outlet, redirect, useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useViewer } from '@/features/auth'
import { Shell } from '@/features/shell'
import { hasCode, session } from '@/shared/gql'
import { LoadingState, RouteError } from '@/shared/ui'

const RequiredPage = lazy(async () => ({ default: (await import('@/features/secondFactor')).RequiredPage }))

// Everything under this route needs a sign-in.
export const Route = createFileRoute('/_app')({
  beforeLoad: ({ location }) => {
    if (session.known() === false) throw redirect({ to: '/login', search: { next: location.href } })
  },
  component: App,
  errorComponent: Failed,
})

/** The layout is there before it is known who is signed in, but not at once: a visitor is led to the sign-in page without it. */
function App() {
  const known = useKnown()
  return (
    <div className={known ? undefined : 'panel-late'}>
      <SecondFactorGate>
        <Shell signedIn>{known ? <Outlet /> : <LoadingState />}</Shell>
      </SecondFactorGate>
    </div>
  )
}

/**
 * Shows the pages, unless the service asks for a second factor first: then only how to set one up, at the same address, until the
 * recovery codes were kept.
 */
function SecondFactorGate({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const { error } = useViewer()
  const [shut, setShut] = useState(false)
  if (!shut && hasCode(error, 'SECOND_FACTOR_REQUIRED')) setShut(true)
  if (!shut) return children
  const open = async () => {
    await queryClient.resetQueries()
    setShut(false)
  }
  return (
    <Suspense>
      <RequiredPage onDone={() => void open()} />
    </Suspense>
  )
}

/** Whether it is known that somebody is signed in. If nobody is, it leads to the sign-in page. */
function useKnown(): boolean {
  const router = useRouter()
  const [known, setKnown] = useState(() => session.known() === true)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (known) return
    let left = false
    session.isSignedIn().then(
      (signedIn) => {
        if (left) return
        setKnown(signedIn)
        if (!signedIn)
          void router.navigate({ to: '/login', search: { next: router.state.location.href }, replace: true })
      },
      (thrown) => !left && setError(thrown),
    )
    return () => {
      left = true
    }
  }, [known, router])
  if (error) throw error
  return known
}

function Failed(props: ErrorComponentProps) {
  return (
    <Shell signedIn>
      <RouteError {...props} />
    </Shell>
  )
}
