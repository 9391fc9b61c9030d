import { randomUUID } from 'node:crypto'
import type { Account } from './accounts'
import { addresses } from './target'

type Json = Record<string, unknown>

/** A response of the chat API. */
export type Reply = { status: number; body: { reply?: string; session_id?: string; error?: { code: string } } & Json }

/** An owner who uses the two APIs to prepare what a test does in the browser. */
export class Owner {
  private constructor(
    readonly account: Account,
    readonly accessToken: string,
    private readonly refresh: { name: string; value: string },
    /** The account of the requests; by default the user's first. */
    private readonly accountId?: string,
  ) {}

  /** Returns the same user in another of their accounts. */
  inAccount(id: string): Owner {
    return new Owner(this.account, this.accessToken, this.refresh, id)
  }

  /** Signs in at the service that all tests share. */
  static async signIn(account: Account): Promise<Owner> {
    const query = 'mutation($input: SignInInput!) { signIn(input: $input) { accessToken } }'
    const { response, data } = await post(query, { input: account })
    const pair = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return new Owner(account, (data.signIn as { accessToken: string }).accessToken, { name, value })
  }

  /** Joins with the link of an invitation, as a new user, and signs in. */
  static async join(link: string, account: Account, name: string): Promise<Owner> {
    const token = new URL(link).hash.replace('#token=', '')
    const query =
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { account { accountId } } }'
    await post(query, { input: { token, name, password: account.password } })
    return Owner.signIn(account)
  }

  /** The cookies that sign a browser in as this owner, by default at the panel's address. */
  cookies(url = addresses().panel) {
    return [{ ...this.refresh, url, httpOnly: true, sameSite: 'Strict' as const }]
  }

  /** Runs one operation and returns its data, as the type that the caller expects; errors throw. */
  async gql<Result = Json>(query: string, variables: Json = {}): Promise<Result> {
    return (await post(query, variables, this.accessToken, this.accountId)).data as Result
  }

  /** Runs one mutation with a file as input.file. */
  async upload<Result = Json>(query: string, input: Json, file: Blob): Promise<Result> {
    const body = new FormData()
    body.append('operations', JSON.stringify({ query, variables: { input: { ...input, file: null } } }))
    body.append('map', '{"0": ["variables.input.file"]}')
    body.append('0', file)
    return (await send(query, body, this.accessToken, this.accountId)).data as Result
  }

  /** Creates an agent, by default published and on the free sandbox model. */
  async newAgent(given: { name?: string; instructions?: string; model?: string; publish?: boolean } = {}) {
    const { name = 'Support', instructions = 'Be kind and brief.', model = 'sandbox/free', publish = true } = given
    const { createAgent } = await this.gql<{ createAgent: { agent: { id: string } } }>(
      'mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }',
      { input: { name, instructions, model } },
    )
    const { id } = createAgent.agent
    if (publish) await this.publish(id)
    return { id, name }
  }

  /** Changes an agent's draft. */
  async change(id: string, fields: Json) {
    await this.gql('mutation($input: UpdateAgentInput!) { updateAgent(input: $input) { agent { id } } }', {
      input: { id, ...fields },
    })
  }

  /** Publishes an agent's draft, and returns the version's number. */
  async publish(id: string, note = ''): Promise<number> {
    const { publishAgent } = await this.gql<{ publishAgent: { version: { number: number } } }>(
      'mutation($input: PublishAgentInput!) { publishAgent(input: $input) { version { number } } }',
      { input: { id, note } },
    )
    return publishAgent.version.number
  }

  /** Pins an export to a version, or lets it follow the published one. */
  async pin(id: string, version: number | null) {
    await this.gql('mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }', {
      input: { id, version },
    })
  }

  /** Creates an API export of an agent, and returns it with its key. */
  async newExport(agentId: string, name = 'Website', rateLimitPerMinute = 100_000) {
    const { createApiExport } = await this.gql<{ createApiExport: { export: { id: string }; apiKey: string } }>(
      'mutation($input: CreateApiExportInput!) { createApiExport(input: $input) { export { id } apiKey } }',
      { input: { agentId, name, rateLimitPerMinute } },
    )
    return { id: createApiExport.export.id, name, apiKey: createApiExport.apiKey }
  }

  /** Gives an export a new key and returns it. The old key stops at the given time, or now. */
  async replaceKey(exportId: string, oldKeyStopsAt?: string): Promise<string> {
    const { replaceApiKey } = await this.gql<{ replaceApiKey: { apiKey: string } }>(
      'mutation($input: ReplaceApiKeyInput!) { replaceApiKey(input: $input) { apiKey } }',
      { input: { exportId, oldKeyStopsAt } },
    )
    return replaceApiKey.apiKey
  }

  /** Sends one message in the playground. */
  async sendTestMessage(agentId: string, message: string, sessionId = `playground-${randomUUID()}`) {
    const query =
      'mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { turn { id reply } conversation { id } } }'
    return this.gql<{ sendTestMessage: { turn: { id: string; reply: string }; conversation: { id: string } } }>(query, {
      input: { agentId, message, sessionId },
    })
  }
}

/** Sends one message over the public API, as a customer's server does. */
export async function chat(apiKey: string, message: string, sessionId?: string, more: Json = {}): Promise<Reply> {
  const response = await fetch(addresses().chat, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, session_id: sessionId, ...more }),
  })
  return { status: response.status, body: (await response.json()) as Reply['body'] }
}

const post = (query: string, variables: Json, token?: string, accountId?: string) =>
  send(query, new Blob([JSON.stringify({ query, variables })], { type: 'application/json' }), token, accountId)

async function send(query: string, body: Blob | FormData, token?: string, accountId?: string) {
  const headers = new Headers()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (accountId) headers.set('X-Account-Id', accountId)
  const response = await fetch(`${addresses().panel}/graphql`, { method: 'POST', headers, body })
  const { data, errors } = (await response.json()) as { data?: Json; errors?: unknown }
  if (errors || !data) throw new Error(`${query}: ${JSON.stringify(errors)}`)
  return { response, data }
}
