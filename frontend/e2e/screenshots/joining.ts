import { randomUUID } from 'node:crypto'
import { Owner } from '../support/owner'

const invite = async (owner: Owner, email: string, role: string) => {
  const { inviteMember } = await owner.gql<{ inviteMember: { link: string } }>(
    'mutation($input: InviteMemberInput!) { inviteMember(input: $input) { link } }',
    { input: { email, role } },
  )
  return inviteMember.link
}

/** Somebody who joins by a link. */
const join = async (owner: Owner, name: string, role: string) => {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@${randomUUID().slice(0, 8)}.example.com`
  return Owner.join(await invite(owner, email, role), { email, password: 'a password of this test' }, name)
}

const newToken = (owner: Owner, name: string, role: string) =>
  owner.gql('mutation($input: CreateAccountTokenInput!) { createAccountToken(input: $input) { secret } }', {
    input: { name, role },
  })

/** Puts people into the account, who made keys and tokens, and opens another account. */
export async function together(owner: Owner) {
  const emmy = await join(owner, 'Emmy Noether', 'OWNER')
  await join(owner, 'Kurt Reidemeister', 'VIEWER')
  await invite(owner, 'lise.meitner@example.com', 'EDITOR')
  const agent = await emmy.newAgent({ name: 'Help desk', model: 'sandbox/assistant' })
  const website = await emmy.newExport(agent.id, 'Website')
  await newToken(emmy, 'Nightly copy of all transcripts', 'VIEWER')
  await newToken(emmy, 'Erasures', 'EDITOR')
  await newToken(owner, 'Dashboard', 'VIEWER')
  await owner.gql(
    'mutation { createAccount(input: { name: "Consulting of Grete Hermann and her friends" }) { account { accountId } } }',
  )
  return { agent: agent.id, export: website.id }
}
