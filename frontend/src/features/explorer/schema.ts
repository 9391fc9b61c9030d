import { buildSchema } from 'graphql'

// The service's own schema, included at build time: introspection is off, because it is expensive and not needed. The binary
// that serves this page was built with these files, so they match. They are not secret: `agentchat schema` prints them.
const files = import.meta.glob<string>('../../../../graph/schema/*.graphqls', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Used by GraphiQL for completion, validation and documentation. The service validates every document itself. */
export const schema = buildSchema(Object.values(files).join('\n'))
