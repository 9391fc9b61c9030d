import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { session } from '@/shared/gql'

/** Follows sign-ins and sign-outs of this and the other tabs: nobody sees a page of an account that is signed in no more. */
export function useSessionEvents() {
  const router = useRouter()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      session.subscribe(async (event) => {
        if (event === 'signed-in') {
          // Perhaps as somebody else: everything is asked for again.
          queryClient.removeQueries({ type: 'inactive' })
          await Promise.all([queryClient.resetQueries(), router.invalidate()])
          return
        }
        const inside = router.state.matches.some((match) => match.routeId === '/_app')
        if (inside) {
          const next = event === 'expired' ? router.state.location.href : undefined
          await router.navigate({ to: '/login', search: { next }, replace: event === 'expired' })
        }
        queryClient.clear()
      }),
    [router, queryClient],
  )
}
