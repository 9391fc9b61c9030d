import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isPassing } from '@/shared/gql'
import { AppLink } from './links'
import { Page } from './Page'
import { EmptyState, ErrorState } from './states'

const recoverMs = 5_000

/** What a route shows when it, or what it loads, failed. The rest of the panel goes on. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const retry = () => {
    queries.reset()
    reset()
    void router.invalidate()
  }
  // A service that is back is noticed without a click.
  useEffect(() => {
    if (!isPassing(error)) return
    const timer = setTimeout(() => void router.invalidate(), recoverMs)
    return () => clearTimeout(timer)
  }, [error, router])
  return (
    <Page title={t('error.title')}>
      <ErrorState error={error} onRetry={retry} />
    </Page>
  )
}

/** An address that is none of the panel's. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')}>
      <EmptyState title={t('notFound.text')} action={<AppLink to="/">{t('notFound.home')}</AppLink>} />
    </Page>
  )
}
