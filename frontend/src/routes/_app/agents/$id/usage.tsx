import { createFileRoute, redirect } from '@tanstack/react-router'

/** Where the usage of an agent was; it is now under Usage & credits. */
export const Route = createFileRoute('/_app/agents/$id/usage')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/usage', search: { agent: params.id, split: 'export' }, replace: true })
  },
})
