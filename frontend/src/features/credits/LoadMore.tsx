import { Button, Center } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormError } from '@/shared/ui'

/** The button under the history that has another page. A failed page says so, and the button tries it again. */
export function LoadMore({ query }: { query: UseInfiniteQueryResult<unknown, Error> }) {
  const { t } = useTranslation('credits')
  if (!query.hasNextPage) return null
  return (
    <>
      {query.isFetchNextPageError && <FormError error={query.error} />}
      <Center>
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('loadMore')}
        </Button>
      </Center>
    </>
  )
}
