import { Badge, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '@/shared/time'
import { QueryView, ShowMore, Table, TableScroll, TableShape } from '@/shared/ui'
import { browserName } from './browserName'
import { type Event, eventsQuery } from './queries'

/** What happened to one's own sign-ins, password and address, newest first. */
export function Events() {
  const { t } = useTranslation('settings')
  const query = useInfiniteQuery(eventsQuery)
  return (
    <QueryView query={query} loading={<TableShape bare />}>
      {({ pages }) => (
        <ShowMore query={query}>
          <TableScroll label={t('events')}>
            <Table miw={480} horizontalSpacing="xs" className="panel-table">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w="40%">{t('what')}</Table.Th>
                  <Table.Th>{t('browser')}</Table.Th>
                  <Table.Th>{t('from')}</Table.Th>
                  <Table.Th ta="right">{t('when')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pages
                  .flatMap(({ me }) => me.events.nodes)
                  .map((event) => (
                    <Row key={event.id} event={event} />
                  ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        </ShowMore>
      )}
    </QueryView>
  )
}

function Row({ event }: { event: Event }) {
  const { t } = useTranslation('settings')
  const { action, actor, details, browser, address, at } = event
  const changed = (name: string) => details.some(({ field }) => field === name)
  const failed = action === 'signInFailed'
  return (
    <Table.Tr>
      <Table.Td data-at="title">
        <Group gap="xs">
          <Text inherit fw={failed ? 500 : undefined} c={failed ? 'var(--bad)' : undefined}>
            {wordsOf(didOf(event), t)}
          </Text>
          {changed('newBrowser') && <Badge color="yellow">{t('newBrowser')}</Badge>}
          {changed('recoveryCode') && <Badge color="yellow">{t('recoveryCode')}</Badge>}
        </Group>
        {actor.kind === 'OPERATOR' && actor.name && (
          <Text size="xs" c="dimmed" className="panel-user-text">
            {actor.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-at="sub" className="panel-user-text">
        {browser && browserName(browser)}
      </Table.Td>
      <Table.Td data-at="sub-end" className="panel-numbers">
        {address}
      </Table.Td>
      <Table.Td data-at="end" ta="right">
        <RelativeTime time={at} />
      </Table.Td>
    </Table.Tr>
  )
}

/** What was done: an address changes by a link, or at once where there is no mail. */
export function didOf({ action, details }: Pick<Event, 'action' | 'details'>) {
  return action !== 'undoEmailChange' && details.some(({ field }) => field === 'email') ? 'newEmail' : action
}

/** The words for what happens to a user, in the namespace settings. */
export const words = {
  signUp: 'did.signUp',
  signIn: 'did.signIn',
  signInFailed: 'did.signInFailed',
  signOut: 'did.signOut',
  endSignIn: 'did.endSignIn',
  signOutEverywhere: 'did.signOutEverywhere',
  changePassword: 'did.changePassword',
  resetPassword: 'did.resetPassword',
  verifyEmail: 'did.verifyEmail',
  newEmail: 'did.newEmail',
  changeEmail: 'did.changeEmail',
  undoEmailChange: 'did.undoEmailChange',
  confirmSecondFactor: 'did.confirmSecondFactor',
  removeSecondFactor: 'did.removeSecondFactor',
  renewRecoveryCodes: 'did.renewRecoveryCodes',
  confirmPassword: 'did.confirmPassword',
  renewAccess: 'did.renewAccess',
  updateAccount: 'did.updateAccount',
  updateUser: 'did.updateUser',
  'account password': 'did.operatorPassword',
  'user reset-link': 'did.operatorLink',
  'user sign-out': 'did.operatorSignOut',
  'user clear-second-factor': 'did.operatorClear',
  'account create': 'did.operatorCreate',
  'account unlock': 'did.operatorUnlock',
} as const

/** An action in plain words; one that this panel does not know is shown as it is called. */
function wordsOf(action: string, t: (key: (typeof words)[keyof typeof words]) => string) {
  return action in words ? t(words[action as keyof typeof words]) : action
}
