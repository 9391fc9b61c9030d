import { Alert, Button, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { faultId, hasCode } from '@/shared/gql'
import { errorText } from './errorText'
import { RequestId } from './RequestId'
import { ErrorState, LoadingState } from './states'

type Props<Data> = {
  query: UseQueryResult<Data, Error>
  children: (data: Data) => ReactNode
  /** The shape of what loads; lines of text by default. */
  loading?: ReactNode
  /** Shown if the object does not exist; the error by default. */
  missing?: ReactNode
}

/**
 * Shows a query: a skeleton after 150 ms, then the data, or the error, with Retry unless the object does not exist. If a later fetch
 * fails, the data stays, with a note that it may be out of date.
 */
export function QueryView<Data>({ query, children, loading, missing }: Props<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && (
          <Stale error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        )}
        {children(query.data)}
      </>
    )
  }
  if (query.isError) {
    const gone = hasCode(query.error, 'NOT_FOUND')
    if (gone && missing) return missing
    const retry = gone ? undefined : () => void query.refetch()
    return <ErrorState error={query.error} onRetry={retry} retrying={query.isFetching} />
  }
  return <LoadingState>{loading}</LoadingState>
}

function Stale({ error, onRetry, retrying }: { error: unknown; onRetry: () => void; retrying: boolean }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" role="status" mb="md" py="xs">
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm">
            {t('error.stale')} {errorText(error)}
          </Text>
          <RequestId id={faultId(error)} />
        </div>
        <Button size="xs" variant="default" onClick={onRetry} loading={retrying}>
          {t('error.retry')}
        </Button>
      </Group>
    </Alert>
  )
}
