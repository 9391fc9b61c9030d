import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { HomePage } from '@/features/home'

export const Route = createFileRoute('/_app/')({
  validateSearch: z.object({ range: z.optional(z.catch(z.optional(z.enum(['7d'])), undefined)) }),
  component: HomePage,
})
