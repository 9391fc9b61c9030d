import { Radio, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { roles } from '@/features/auth'
import type { Role } from '@/gql/graphql'
import { gql } from '@/shared/gql'
import { Dialog, DialogForm, required, useApiForm } from '@/shared/ui'
import type { Invited } from './LinkDialog'
import { InviteMemberDocument, refreshMembers } from './queries'

type Props = { onClose: () => void; onInvited: (invited: Invited) => void }
type Values = { email: string; role: Role }

const schema = z.object({ email: z.string().check(z.trim(), required()), role: z.enum(['VIEWER', 'EDITOR', 'OWNER']) })

/** Asks whom to invite, and as what. Loaded on first use. */
export default function InviteDialog({ onClose, onInvited }: Props) {
  const { t } = useTranslation('members')
  const queryClient = useQueryClient()
  const initialValues: Values = { email: '', role: 'EDITOR' }
  const api = useApiForm({
    initialValues,
    schema,
    submit: async ({ email, role }) => {
      const { inviteMember } = await gql(InviteMemberDocument, { input: { email: email.trim(), role } })
      onInvited({ email: inviteMember.invitation.email, link: inviteMember.link })
      void refreshMembers(queryClient)
    },
  })
  const { form } = api
  return (
    <Dialog onClose={() => !api.pending && onClose()} title={t('inviteTitle')}>
      <DialogForm api={api} submitLabel={t('invite')} onCancel={onClose}>
        <TextInput
          label={t('email')}
          type="email"
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Radio.Group label={t('role')} key={form.key('role')} {...form.getInputProps('role')}>
          <Stack gap="xs" mt="xs">
            {roles.map((role) => (
              <Radio
                key={role}
                value={role}
                label={t(`role.${role}`, { ns: 'common' })}
                description={t(`may.${role}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </DialogForm>
    </Dialog>
  )
}
