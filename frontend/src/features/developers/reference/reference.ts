// The API reference is drawn from the contract itself, rest/openapi.yaml, which the service serves at /openapi.yaml.
import contract from '@rest/openapi.yaml'

type Ref = { $ref: string }
type Schema = {
  type?: string | string[]
  description?: string
  required?: string[]
  properties?: Record<string, Schema | Ref>
  items?: Schema | Ref
}
type Example<Value> = { summary: string; value: Value }
type Content<Value> = { schema: Schema | Ref; examples: Record<string, Example<Value>> }
type ErrorBody = { request_id: string; error: { code: string; message: string; details: Record<string, unknown> } }
type Response = {
  description: string
  headers: Record<string, Ref>
  content: { 'application/json': Content<unknown>; 'text/event-stream'?: Content<string> }
}
type Operation = {
  description: string
  parameters: { name: string; description: string; required?: boolean; example?: string }[]
  requestBody: { content: { 'application/json': Content<unknown> } }
  responses: Record<string, Ref>
}
type Contract = {
  info: { summary: string; description: string }
  paths: Record<string, { post: Operation }>
  components: { securitySchemes: { bearer: { description: string } } }
}

const { info, paths, components } = contract as Contract
const [[path, { post }]] = Object.entries(paths) as [[string, { post: Operation }]]

/** Returns the part of the contract that a reference such as '#/components/schemas/Usage' names. */
function follow<Part>(part: Part | Ref): Part {
  if (typeof part !== 'object' || part === null || !('$ref' in part)) return part as Part
  const steps = part.$ref.split('/').slice(1)
  return steps.reduce((at, step) => (at as Record<string, unknown>)[step], contract) as Part
}

/** One line of a table: a field or a header. */
export type Definition = { name: string; type?: string; required?: boolean; text: string }

function fieldsOf(schema: Schema | Ref, prefix = ''): Definition[] {
  const { properties = {}, required = [] } = follow(schema)
  return Object.entries(properties).flatMap(([name, property]) => {
    const { type = '', description = '', properties: inner, items } = follow(property)
    if (inner) return fieldsOf(property, `${prefix}${name}.`)
    const field = {
      name: prefix + name,
      type: [type].flat().join(' | '),
      required: required.includes(name),
      text: description,
    }
    return items ? [field, ...fieldsOf(items, `${prefix}${name}[].`)] : [field]
  })
}

const responses = Object.entries(post.responses).map(([status, ref]) => ({
  status: Number(status),
  ...follow<Response>(ref),
}))
const reply = follow<Response>(post.responses['200'] as Ref).content
const request = post.requestBody.content['application/json']

export { path }
export const summary = info.summary

/** The rules that apply to all requests, each by the name that begins it in bold; the rest is an overview. */
const paragraphs = info.description.trim().split('\n\n')
const nameOf = (text: string) => /^\*\*(.+?)[.:]?\*\*/.exec(text)?.[1]
export const overview = paragraphs.filter((text) => !nameOf(text)).join('\n\n')
export const rules = paragraphs.flatMap((text) => {
  const name = nameOf(text)
  return name ? [{ name, text }] : []
})

const isOfStreams = (text: string) => /\bstream\b/.test(text)
const about = post.description.trim().split('\n\n')
export const requestText = about.filter((text) => !isOfStreams(text)).join('\n\n')
export const streamText = about.filter(isOfStreams).join('\n\n')
export const requestFields = fieldsOf(request.schema)
export const requestHeaders: Definition[] = [
  { name: 'Authorization', required: true, text: components.securitySchemes.bearer.description },
  ...post.parameters.map(({ name, required = false, description }) => ({ name, required, text: description })),
]
// Every field of a reply is always there.
export const replyFields = fieldsOf(reply['application/json'].schema).map((field) => ({ ...field, required: false }))
export const replyExample = JSON.stringify(reply['application/json'].examples.reply?.value, null, 2)
export const streamExample = reply['text/event-stream']?.examples.stream?.value.trim() ?? ''

/** The headers of all responses, each once. */
export const replyHeaders: Definition[] = Object.entries(
  Object.assign({}, ...responses.map(({ headers }) => headers)) as Record<string, Ref>,
).map(([name, ref]) => ({ name, text: follow<{ description: string }>(ref).description }))

/** The error responses by status, each with an example of every code. */
export const failures = responses
  .filter(({ status }) => status >= 400)
  .map(({ status, description, content }) => ({
    status,
    description,
    examples: Object.values(content['application/json'].examples as Record<string, Example<ErrorBody>>).map(
      ({ summary, value }) => ({ code: value.error.code, summary, body: JSON.stringify(value, null, 2) }),
    ),
  }))

/** The first call, to be pasted into a shell. The key is the reader's variable. */
export function curlExample(origin: string): string {
  const key = post.parameters.find(({ name }) => name === 'Idempotency-Key')?.example
  return [
    `curl -i --max-time 100 ${origin}${path} \\`,
    `  -H "Authorization: Bearer $AGENTCHAT_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H 'Idempotency-Key: ${key}' \\`,
    `  --data-raw '${JSON.stringify(request.examples.continue?.value)}'`,
  ].join('\n')
}
