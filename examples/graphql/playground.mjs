import { randomUUID } from 'node:crypto'
import { createClient } from 'graphql-sse'

const client = createClient({
  url: 'http://127.0.0.1:8080/graphql',
  headers: { Authorization: `Bearer ${process.env.ACCESS_TOKEN}` },
})
const events = client.iterate({
  query: `subscription ($input: SendTestMessageInput!) {
    testMessage(input: $input) { ... on TestMessageDelta { text } ... on TestMessageEnded { turn { reply } } }
  }`,
  variables: { input: { agentId: process.env.AGENT_ID, message: 'Hello', idempotencyKey: randomUUID() } },
})
for await (const { data, errors } of events) {
  if (errors) throw new Error(errors[0].message)
  process.stdout.write(data.testMessage.text ?? '')
}
