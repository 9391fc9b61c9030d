import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AgentUsagePage } from '@/features/usage'
import { usageSearch } from '../../-usageSearch'

export const Route = createFileRoute('/_app/agents/$id/usage')({
  validateSearch: z.object(usageSearch),
  component: AgentUsagePage,
})
