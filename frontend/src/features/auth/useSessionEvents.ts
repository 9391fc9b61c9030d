import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { dropAllDrafts } from '@/shared/drafts'
import { forgetAccount, session } from '@/shared/gql'
import { forgetRemembered } from '@/shared/remembered'

/** Reacts to sign-ins and sign-outs in this and other tabs, so that no page of a signed-out account stays visible. */
export function useSessionEvents() {
  const router = useRouter()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      session.subscribe(async (event) => {
        if (event === 'signed-in') {
          // Possibly as another account: everything is fetched again.
          queryClient.removeQueries({ type: 'inactive' })
          await Promise.all([queryClient.resetQueries(), router.invalidate()])
          return
        }
        if (event !== 'expired') {
          forgetRemembered()
          dropAllDrafts()
          forgetAccount()
        }
        const inside = router.state.matches.some((match) => match.routeId === '/_app')
        if (inside) {
          const search = event === 'signed-out' ? {} : { next: router.state.location.href, reason: event }
          await router.navigate({ to: '/login', search, replace: event !== 'signed-out' })
        }
        queryClient.clear()
      }),
    [router, queryClient],
  )
}
