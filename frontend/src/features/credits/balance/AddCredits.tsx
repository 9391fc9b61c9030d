import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { OperatorText, useServiceInfo } from '@/features/auth'
import { gql } from '@/shared/gql'
import { notifyError } from '@/shared/ui'
import { TopUpDocument, topUpQuery } from './queries'

/** How to get credits: in the operator's shop, or else what the operator says about it. */
export function AddCredits() {
  const { t } = useTranslation('credits')
  const help = useServiceInfo().data?.creditsHelp
  const { data, isPending } = useQuery(topUpQuery)
  if (data?.viewer.topUpUrl) return <ToShop />
  if (isPending || !help) return null
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('contact')}
      </Text>
      <Text size="md">
        <OperatorText text={help} />
      </Text>
    </div>
  )
}

/** Leads to the shop, with a link that is made now because it soon ends. */
function ToShop() {
  const { t } = useTranslation('credits')
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => gql(TopUpDocument),
    onSuccess: ({ viewer }) => {
      if (viewer.topUpUrl) window.location.assign(viewer.topUpUrl)
      else queryClient.invalidateQueries(topUpQuery)
    },
    onError: notifyError,
  })
  return (
    <div>
      <Button loading={isPending} onClick={() => mutate()}>
        {t('add')}
      </Button>
      <Text size="sm" c="dimmed" mt={4}>
        {t('shop')}
      </Text>
    </div>
  )
}
