import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { UsagePage } from '@/features/usage'
import { usageSearch } from './-usageSearch'

export const Route = createFileRoute('/_app/usage')({
  validateSearch: z.object(usageSearch),
  component: UsagePage,
})
