import { settled } from './screenshots/visit'
import { expectBoxed, unruly } from './support/boxes'
import { chat, type Owner } from './support/owner'
import { replyWith } from './support/replies'
import { expect, long, test } from './support/test'

/** An agent whose names are of one kind, called once by a person of that kind. */
async function account(owner: Owner, of: (most: number) => string) {
  const agent = await owner.newAgent({ name: of(100), instructions: of(30_000) })
  const exported = await owner.newExport(agent.id, of(100))
  const session = of(120)
  expect((await chat(exported.apiKey, of(16_000), session, { user_id: session })).status).toBe(200)
  await owner.gql('mutation($input: CreateAccountTokenInput!) { createAccountToken(input: $input) { secret } }', {
    input: { name: of(100), role: 'VIEWER' },
  })
  await owner.gql('mutation($name: String!) { createAccount(input: { name: $name }) { account { accountId } } }', {
    name: of(100),
  })
  const query = 'query($id: ID!) { agent(id: $id) { conversations(first: 1) { nodes { id } } } }'
  type Found = { agent: { conversations: { nodes: { id: string }[] } } }
  const { conversations } = (await owner.gql<Found>(query, { id: agent.id })).agent
  return { agent: agent.id, exported: exported.id, person: session, conversation: conversations.nodes[0]?.id ?? '' }
}

for (const [kind, of] of Object.entries(unruly)) {
  for (const [size, width] of Object.entries({ wide: 1280, narrow: 390 })) {
    test(`acceptance 11: ${kind} leave no box, on no page, ${size}`, long, async ({ strictPage: page, newOwner }) => {
      test.setTimeout(360_000)
      const owner = await newOwner({ name: of(100) })
      const { agent, exported, person, conversation } = await account(owner, of)
      await replyWith(page, of(200_000))
      const pages = {
        Home: '/',
        agents: '/agents',
        Build: `/agents/${agent}?node=agent`,
        Channels: `/agents/${agent}/channels`,
        versions: `/agents/${agent}/versions?open=1`,
        exports: '/exports',
        'an export': `/exports/${exported}`,
        conversations: '/activity/conversations?time=all',
        'a transcript': `/activity/conversations/${conversation}`,
        requests: '/activity/requests',
        people: '/activity/people',
        'a person': `/activity/people/person?id=${encodeURIComponent(person)}`,
        usage: '/usage',
        credits: '/usage/credits',
        members: '/settings/members',
        'the audit trail': '/settings/audit',
        tokens: '/settings/tokens',
      }
      await page.setViewportSize({ width, height: 844 })
      for (const [name, address] of Object.entries(pages)) {
        await page.goto(address)
        await settled(page, {})
        await expectBoxed(page, name)
      }
      await page.goto('/activity/requests')
      await page.locator('tbody a').first().click()
      await page.getByRole('group', { name: 'Reply' }).waitFor()
      await settled(page, {})
      await expectBoxed(page, 'a request')
    })
  }
}
