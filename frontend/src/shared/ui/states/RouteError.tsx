import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isPartMissing, isPassing, toApiError } from '@/shared/gql'
import { ButtonLink } from '../pages/links'
import { Page } from '../pages/Page'
import { ErrorState, Missing } from './states'

const recoverMs = 5_000

/** Shown when a route or its loading fails. The rest of the panel keeps working. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const missing = isPartMissing(error)
  const retry = useCallback(() => {
    queries.reset()
    reset()
    void router.invalidate()
  }, [router, queries, reset])
  // Recovers without a click when the service is back, but never by a reload, which could lose what was typed.
  useEffect(() => {
    if (missing || !isPassing(toApiError(error))) return
    const timer = setInterval(retry, recoverMs)
    return () => clearInterval(timer)
  }, [error, missing, retry])
  return (
    <Page title={t('error.title')}>
      <ErrorState error={error} onRetry={missing ? undefined : retry} reload={missing} />
    </Page>
  )
}

/** Shown for unknown paths. */
export function NotFound() {
  const { t } = useTranslation()
  const title = t('notFound.title')
  return (
    <Page title={title} head={false}>
      <Missing
        order={1}
        title={title}
        back={
          <ButtonLink to="/" variant="default">
            {t('notFound.home')}
          </ButtonLink>
        }
      />
    </Page>
  )
}
