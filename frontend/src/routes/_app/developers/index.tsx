import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { QuickstartPage } from '@/features/developers'
import { uuid } from '../-search'

export const Route = createFileRoute('/_app/developers/')({
  // Whose export the samples are for; the newest without any.
  validateSearch: z.object({ agent: uuid, export: uuid }),
  component: QuickstartPage,
})
