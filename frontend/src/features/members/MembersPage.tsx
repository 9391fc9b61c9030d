import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '@/features/auth'
import { Section, SettingsFrame } from '@/features/settings'
import { part, QueryView, TableShape } from '@/shared/ui'
import { Invitations } from './Invitations'
import type { Invited } from './LinkDialog'
import { MembersTable } from './MembersTable'
import { membersQuery } from './queries'

const InviteDialog = part(() => import('./InviteDialog'))
const LinkDialog = part(() => import('./LinkDialog'))

/** Who belongs to the account, as what, and who is invited. */
export function MembersPage() {
  const { t } = useTranslation('members')
  const members = useQuery(membersQuery)
  const [inviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<Invited>()
  return (
    <SettingsFrame title={t('title')}>
      <Section title={t('title')} text={t('text')}>
        <QueryView query={members} loading={<TableShape bare two rows={3} />}>
          {({ me, viewer }) => <MembersTable members={viewer.members} me={me.id} />}
        </QueryView>
        <May least="OWNER">
          <Group>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
              {t('invite')}
            </Button>
          </Group>
        </May>
        <Text size="sm" c="dimmed">
          {t('roles')}
        </Text>
      </Section>
      <May least="OWNER">
        <Section title={t('invitations')} text={t('invitationsText')}>
          <Invitations onLink={setInvited} />
        </Section>
      </May>
      <Suspense fallback={null}>
        {inviting && (
          <InviteDialog
            onClose={() => setInviting(false)}
            onInvited={(made) => {
              setInviting(false)
              setInvited(made)
            }}
          />
        )}
        {invited && <LinkDialog {...invited} onClose={() => setInvited(undefined)} />}
      </Suspense>
    </SettingsFrame>
  )
}
