import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute, type ErrorComponentProps, Outlet, redirect, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountLinks, NoAccountPage } from '@/features/accounts'
import { useViewer } from '@/features/auth'
import { Shell, useFirstQueries } from '@/features/shell'
import { hasCode, hasLostAccount, session } from '@/shared/gql'
import { ErrorState, notifyDone, PageSkeleton, part, RouteError } from '@/shared/ui'

const RequiredPage = part(async () => ({ default: (await import('@/features/secondFactor')).RequiredPage }))

// Everything under this route needs a sign-in.
export const Route = createFileRoute('/_app')({
  codeSplitGroupings: [], // every page needs it
  beforeLoad: ({ location }) => {
    if (session.known() === false) throw redirect({ to: '/login', search: { next: location.href } })
  },
  component: App,
  errorComponent: Failed,
})

/**
 * The layout is there before it is known who is signed in, but not at once: a visitor is led to the sign-in page without it. The pages
 * wait for the account and the role in it, except the first one of a load, which asks for them along with what it shows.
 */
function App() {
  const [isFirst] = useState(() => session.known() === undefined)
  const known = useKnown()
  const { data, error, refetch } = useViewer()
  const [ready, setReady] = useState(false)
  if (known && data && !ready) setReady(true)
  useFirstQueries(known)
  useAccountNotice(data)
  return (
    <div className={known ? undefined : 'panel-late'}>
      <Gate>
        <Shell signedIn>
          {ready || (known && isFirst && !error) ? (
            <Outlet />
          ) : known && error ? (
            <Stack gap="md">
              <ErrorState error={error} onRetry={() => void refetch()} />
              {hasCode(error, 'FORBIDDEN') && (
                <Suspense>
                  <AccountLinks />
                </Suspense>
              )}
            </Stack>
          ) : (
            <PageSkeleton />
          )}
        </Shell>
      </Gate>
    </div>
  )
}

/** Says that another account is open now, where the reader has been removed from the one before. */
function useAccountNotice(data: ReturnType<typeof useViewer>['data']) {
  const { t } = useTranslation('shell')
  const user = data?.me.id
  const name = data?.viewer.name
  useEffect(() => {
    if (user && hasLostAccount(user)) void notifyDone(t('accountLost', { name }), { stays: true })
  }, [user, name, t])
}

/**
 * Shows the pages, unless the user has no account, or the service asks for a second factor first: then only how to set one up, at the same
 * address, until the recovery codes were kept.
 */
function Gate({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const { error } = useViewer()
  const [shut, setShut] = useState(false)
  if (!shut && hasCode(error, 'SECOND_FACTOR_REQUIRED')) setShut(true)
  if (hasCode(error, 'NONE')) {
    return (
      <Suspense>
        <NoAccountPage />
      </Suspense>
    )
  }
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
