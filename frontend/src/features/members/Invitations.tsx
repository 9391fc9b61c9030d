import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gql } from '@/shared/gql'
import { RelativeTime } from '@/shared/time'
import { confirm, notifyDone, notifyError, QueryView, TableShape } from '@/shared/ui'
import type { Invited } from './LinkDialog'
import {
  type Invitation,
  invitationsQuery,
  RenewInvitationDocument,
  RevokeInvitationDocument,
  refreshMembers,
} from './queries'

/** Who is invited and has not joined. */
export function Invitations({ onLink }: { onLink: (invited: Invited) => void }) {
  const { t } = useTranslation('members')
  const query = useQuery(invitationsQuery)
  return (
    <QueryView query={query} loading={<TableShape bare head={0} rows={2} columns={2} />}>
      {({ viewer: { invitations } }) =>
        invitations?.length ? (
          <ul className="panel-list">
            {invitations.map((invitation) => (
              <Item key={invitation.id} invitation={invitation} onLink={onLink} />
            ))}
          </ul>
        ) : (
          <Text c="dimmed">{t('noInvitations')}</Text>
        )
      }
    </QueryView>
  )
}

function Item({ invitation, onLink }: { invitation: Invitation; onLink: (invited: Invited) => void }) {
  const { t } = useTranslation('members')
  const queryClient = useQueryClient()
  const { id, email, role, invitedBy, expiresAt } = invitation
  const renew = useMutation({
    mutationFn: () => gql(RenewInvitationDocument, { input: { id } }),
    onSuccess: ({ renewInvitation: { link } }) => {
      onLink({ email, link })
      return refreshMembers(queryClient)
    },
    onError: notifyError,
  })
  const revoke = () =>
    confirm({
      title: t('revokeTitle', { email }),
      body: t('revokeText'),
      confirmLabel: t('revoke'),
      danger: true,
      onConfirm: async () => {
        await gql(RevokeInvitationDocument, { input: { id } })
        await refreshMembers(queryClient)
        void notifyDone(t('revoked'))
      },
    })
  return (
    <Group component="li" justify="space-between" gap="sm" py="xs">
      <div style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Text fw={500} translate="no" className="panel-user-text">
          {email}
        </Text>
        <Text size="sm" c="dimmed" component="div" className="panel-user-text">
          {t(`role.${role}`, { ns: 'common' })} · {invitedBy.name && `${t('by', { name: invitedBy.name })} · `}
          {t('ends')} <RelativeTime time={expiresAt} mayLieAhead />
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={renew.isPending}
          onClick={() => renew.mutate()}
          aria-label={t('renewOf', { email })}
        >
          {t('renew')}
        </Button>
        <Button size="xs" variant="default" onClick={() => void revoke()} aria-label={t('revokeOf', { email })}>
          {t('revoke')}
        </Button>
      </Group>
    </Group>
  )
}
