import { Stack, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone } from '@/shared/ui'
import { ruleQuery, SetSecondFactorRuleDocument } from './queries'

/** The switch by which the account asks everybody in it for a second factor. The one who switches it on has one. */
export function Rule({ on }: { on: boolean }) {
  const { t } = useTranslation('secondFactor')
  const queryClient = useQueryClient()
  const { data } = useQuery(ruleQuery)
  const change = useMutation({
    mutationFn: (requireSecondFactor: boolean) => gql(SetSecondFactorRuleDocument, { input: { requireSecondFactor } }),
    onSuccess: ({ updateAccount: { account } }) => {
      queryClient.setQueryData(ruleQuery.queryKey, { viewer: account })
      void queryClient.invalidateQueries({ queryKey: ['events'] })
      notifyDone(t(account.requireSecondFactor ? 'ruleOn' : 'ruleOff'))
    },
  })
  const may = useMay('OWNER')
  if (!data) return null
  const checked = data.viewer.requireSecondFactor
  return (
    <Stack gap="xs">
      <Switch
        label={t('rule')}
        description={t(on || checked ? 'ruleText' : 'ruleNeeds')}
        checked={checked}
        disabled={!may || change.isPending || !(on || checked)}
        onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
      />
      <FormError error={change.error} onClose={change.reset} />
    </Stack>
  )
}
