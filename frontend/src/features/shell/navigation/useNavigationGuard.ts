import { type AnyRoute, type AnyRouter, type BlockerFn, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { i18n } from '@/shared/i18n'
import { fetchFiles, isStale } from '@/shared/navigation/files'
import { type Departure, isAllSaved, mayLeave } from '@/shared/navigation/leaving'
import { setOpening } from '@/shared/navigation/opening'
import { notifyProblem } from '@/shared/ui'
import { placeOf } from '../pages'

const patienceMs = 20_000
const idleMs = 3_000

/** The page that most readers open next. Its files are fetched ahead: Publish has those of Versions. */
const nextRoutes: Record<string, string> = {
  '/_app/': '/_app/activity/conversations',
  '/_app/agents/': '/_app/agents/$id/',
  '/_app/agents/$id/': '/_app/agents/$id/versions',
}

const enableBeforeUnload = () => !isAllSaved()

/** Why a waiting navigation is given up: the reader pressed the link of the page that is open. */
const stays = 'stays'

/**
 * Lets another page open only once what was typed is saved or discarded and the page's files are there. Until then page and
 * address stay. To be used once, in the root: blockers are asked in the order in which they were mounted. It is none of the router's
 * own, which are not told the hash.
 */
export function useNavigationGuard() {
  const router = useRouter()
  const latest = useRef<{ controller: AbortController; closeProblem?: () => void }>(undefined)

  useEffect(() => {
    const give = (up?: string) => {
      latest.current?.controller.abort(up)
      latest.current?.closeProblem?.()
    }
    const blockerFn: BlockerFn = async ({ currentLocation: current, nextLocation: next, action }) => {
      const isSamePath = next.pathname === current.pathname
      if (isSamePath && action === 'REPLACE') return false
      give()
      const opens = isSamePath || next.pathname === '/login'
      setOpening(opens ? undefined : next.pathname)
      if (opens) return false

      const controller = new AbortController()
      const { signal } = controller
      latest.current = { controller }
      const departure: Departure = { signal, discards: new Set() }
      const isBlocked = async () => {
        if (!(await mayLeave(departure))) return true
        // Refusing Back or Forward moves the history, so these show an error if files fail.
        if (action !== 'PUSH' && action !== 'REPLACE') return false
        try {
          const routes = router.getMatchedRoutes(next.pathname)[0]
          await inTime(
            fetchFiles(
              routes.map(({ id }) => id),
              signal,
            ),
          )
        } catch {
          const stale = !signal.aborted && (await isStale())
          const retry = () => router.history[action === 'PUSH' ? 'push' : 'replace'](next.href)
          if (!signal.aborted) latest.current = { controller, closeProblem: tell(next.pathname, stale, retry) }
          return true
        }
        return !(await mayLeave(departure)) // of what was typed meanwhile
      }
      const blocked = await isBlocked()
      if (signal.reason === stays) return true
      // Any answer would move the history, which the newer navigation does.
      if (signal.aborted) return new Promise<boolean>(() => {})
      setOpening(undefined)
      if (!blocked) for (const discard of departure.discards) discard()
      return blocked
    }
    const unblock = router.history.block({ blockerFn, enableBeforeUnload })
    // Then the router only loads the open page again, without asking its blockers.
    const ignore = router.subscribe('onBeforeLoad', ({ hrefChanged }) => {
      if (hrefChanged) return
      give(stays)
      setOpening(undefined)
    })
    return () => {
      unblock()
      ignore()
    }
  }, [router])
  useFetchAhead()
}

/** Fetches the list of files, and those of the next page, once the reader has stayed for a while. */
function useFetchAhead() {
  const router = useRouter()
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId })
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (!routeId || connection?.saveData) return
    const timer = setTimeout(() => {
      const next = nextRoutes[routeId]
      fetchFiles(next ? routesOf(router, next) : []).catch(() => {})
    }, idleMs)
    return () => clearTimeout(timer)
  }, [router, routeId])
}

/** A route and those around it. */
function routesOf(router: AnyRouter, id: string): string[] {
  const route: AnyRoute | undefined = router.routesById[id]
  return route ? [...routesOf(router, route.parentRoute?.id ?? ''), id] : []
}

/** Rejects if something takes too long. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, patienceMs, new Error('timeout'))
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Says that a page could not be opened. Returns what closes that. */
function tell(pathname: string, stale: boolean, retry: () => void) {
  if (stale) {
    return notifyProblem(i18n.t('shell:stale'), { label: i18n.t('shell:reload'), run: () => window.location.reload() })
  }
  const place = placeOf(pathname)
  const name = place ? i18n.t(`shell:${place.label}`) : pathname
  return notifyProblem(i18n.t('shell:openFailed', { place: name }), { label: i18n.t('error.retry'), run: retry })
}
