import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServiceInfo } from '@/features/auth'
import { gql } from '@/shared/gql'
import { FormError, PendingButton, part, QueryView } from '@/shared/ui'
import { addressQuery, RequestEmailVerificationDocument } from './queries'

const ChangeAddressDialog = part(() => import('./ChangeAddressDialog'))

/** The address for signing in: whether it is confirmed, and how to change it. */
export function Address() {
  const { t } = useTranslation('settings')
  const query = useQuery(addressQuery)
  const mail = useServiceInfo().data?.mail
  const [opened, { open, close }] = useDisclosure(false)
  const [mailedTo, setMailedTo] = useState<string>()
  return (
    <QueryView query={query}>
      {({ me: { email, emailVerified } }) => (
        <Stack gap="sm">
          <Group gap="xs">
            <Text translate="no" className="panel-user-text">
              {email}
            </Text>
            {mail && !emailVerified && <Badge color="yellow">{t('address.unverified')}</Badge>}
          </Group>
          {mailedTo && <Text role="status">{t('address.mailed', { email: mailedTo })}</Text>}
          {mail !== undefined && (
            <Group gap="xs" align="flex-start">
              {mail && !emailVerified && <SendLink onSent={() => setMailedTo(email)} />}
              <Button variant="default" onClick={open}>
                {t('address.change')}
              </Button>
            </Group>
          )}
          {opened && mail !== undefined && (
            <Suspense fallback={null}>
              <ChangeAddressDialog mail={mail} onMailed={setMailedTo} onClose={close} />
            </Suspense>
          )}
        </Stack>
      )}
    </QueryView>
  )
}

function SendLink({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation('settings')
  const send = useMutation({ mutationFn: () => gql(RequestEmailVerificationDocument), onSuccess: onSent })
  return (
    <Stack gap="xs">
      <PendingButton variant="default" pending={send.isPending} onClick={() => send.mutate()}>
        {t('address.send')}
      </PendingButton>
      <FormError error={send.error} onClose={send.reset} />
    </Stack>
  )
}
