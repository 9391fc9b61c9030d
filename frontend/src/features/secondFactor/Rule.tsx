import { Stack, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, notifyDone, QueryView } from '@/shared/ui'
import { ruleQuery, SetSecondFactorRuleDocument } from './queries'

/** The account's requirement of two-factor authentication, which an owner who has it on can set. */
export function Rule() {
  const query = useQuery(ruleQuery)
  return (
    <QueryView query={query}>
      {({ me, viewer }) => <RuleSwitch on={me.secondFactor} checked={viewer.requireSecondFactor} />}
    </QueryView>
  )
}

function RuleSwitch({ on, checked }: { on: boolean; checked: boolean }) {
  const { t } = useTranslation('secondFactor')
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (requireSecondFactor: boolean) => gql(SetSecondFactorRuleDocument, { input: { requireSecondFactor } }),
    onSuccess: ({ updateAccount: { account } }) => {
      queryClient.setQueryData(ruleQuery.queryKey, (old) => old && { ...old, viewer: account })
      void queryClient.invalidateQueries({ queryKey: ['events'] })
      notifyDone(t(account.requireSecondFactor ? 'ruleOn' : 'ruleOff'))
    },
  })
  const may = useMay('OWNER')
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
