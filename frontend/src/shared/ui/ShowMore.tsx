import { Button, Center } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormError } from './FormError'

/** The button under a list that has another page. A failed page says so there, and the button tries it again. */
export function ShowMore({ query }: { query: UseInfiniteQueryResult<unknown, Error> }) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <>
      {query.isFetchNextPageError && <FormError error={query.error} />}
      <Center>
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('showMore')}
        </Button>
      </Center>
    </>
  )
}
