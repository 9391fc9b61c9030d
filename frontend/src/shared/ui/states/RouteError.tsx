import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isPassing, toApiError } from '@/shared/gql'
import { AppLink } from '../pages/links'
import { Page } from '../pages/Page'
import { ErrorState } from './states'

const recoverMs = 5_000

/** Shown when a route or its loading fails. The rest of the panel keeps working. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const part = missingPart(error)
  const retry = useCallback(async () => {
    if (part) {
      // The browser keeps the failure of a part for as long as the page lives, and an upgraded service has other parts.
      if (await answers(part)) window.location.reload()
      return
    }
    queries.reset()
    reset()
    void router.invalidate()
  }, [part, router, queries, reset])
  // Recovers without a click when the service is back.
  useEffect(() => {
    if (!isPassing(toApiError(error))) return
    if (part && isFirstFailure(part)) void retry()
    const timer = setInterval(() => void retry(), recoverMs)
    return () => clearInterval(timer)
  }, [error, part, retry])
  return (
    <Page title={t('error.title')}>
      <ErrorState error={error} onRetry={() => void retry()} />
    </Page>
  )
}

/** The address of the part of the panel that could not be fetched, if that is the error. */
function missingPart(error: unknown) {
  return /https?:\S+\/assets\/\S+/.exec(String(error))?.[0]
}

/** Whether a part fails for the first time in this tab, so that one that stays away does not make the page load without a pause. */
function isFirstFailure(part: string) {
  const known = sessionStorage.getItem(part)
  sessionStorage.setItem(part, 'missing')
  return !known
}

/** Whether the service can be reached, even if it does not have the part any more. */
async function answers(part: string) {
  return fetch(part, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}

/** Shown for unknown paths. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')}>
      <AppLink to="/">{t('notFound.home')}</AppLink>
    </Page>
  )
}
