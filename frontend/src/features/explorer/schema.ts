import { buildSchema } from 'graphql'

// The service's own schema, put in by the build: introspection is off, because it is expensive and because nobody needs it.
// The binary that serves this page was built with these files, so the two do not differ. They are no secret: `agentchat schema`
// prints them.
const files = import.meta.glob<string>('../../../../graph/schema/*.graphqls', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** What GraphiQL completes, checks and documents by. The service checks every document itself. */
export const schema = buildSchema(Object.values(files).join('\n'))
