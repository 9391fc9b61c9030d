import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type AnyRouter, type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isPassing, toApiError } from '@/shared/gql'
import { AppLink } from './links'
import { Page } from './Page'
import { EmptyState, ErrorState } from './states'

const recoverMs = 5_000

/** Shown when a route or its loading fails. The rest of the panel keeps working. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const retry = async () => {
    await loadParts(router)
    queries.reset()
    reset()
    void router.invalidate()
  }
  // Recovers without a click when the service is back.
  useEffect(() => {
    if (!isPassing(toApiError(error))) return
    const timer = setTimeout(() => void loadParts(router).then(() => router.invalidate()), recoverMs)
    return () => clearTimeout(timer)
  }, [error, router])
  return (
    <Page title={t('error.title')}>
      <ErrorState error={error} onRetry={() => void retry()} />
    </Page>
  )
}

/** Refetches the code of the current pages if that failed, because the router would keep the failure. */
async function loadParts(router: AnyRouter) {
  const parts = router.state.matches.map(({ routeId }) => router.routesById[routeId]?.options.component)
  await Promise.allSettled(parts.map((part?: { preload?: () => unknown }) => part?.preload?.()))
}

/** Shown for unknown paths. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')}>
      <EmptyState title={t('notFound.text')} action={<AppLink to="/">{t('notFound.home')}</AppLink>} />
    </Page>
  )
}
