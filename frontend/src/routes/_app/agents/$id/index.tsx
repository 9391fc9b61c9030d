import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AgentPage, nodeNames } from '@/features/agents'
import { Workbench } from '@/features/playground'
import { number, text } from '../../-search'

export const Route = createFileRoute('/_app/agents/$id/')({
  validateSearch: z.object({
    // The node whose section is opened. Channels has its own tab.
    node: z.optional(z.catch(z.optional(z.enum(nodeNames)), undefined)),
    // Which source of the agent's knowledge is open.
    knowledge: text,
    // Whether Try takes the whole window, or compares there.
    try: z.optional(z.catch(z.optional(z.enum(['window', 'compare'])), undefined)),
    // Which version answers in the conversation; the draft without it.
    version: number,
    // The conversation's session ID.
    session: text,
    // What answers on the left of a comparison, besides the version, and what on the right.
    model: text,
    otherVersion: number,
    otherModel: text,
    otherSession: text,
    // The turn that a new conversation continues from.
    continue: text,
  }),
  beforeLoad: ({ search, params, location: { hash } }) => {
    if (search.node === 'channels') throw redirect({ to: '/agents/$id/channels', params, hash, replace: true })
  },
  component: Build,
})

function Build() {
  return <AgentPage workbench={(agent) => <Workbench agent={agent} />} />
}
