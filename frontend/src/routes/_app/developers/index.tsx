import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { QuickstartPage } from '@/features/developers'
import { uuid } from '../-search'

export const Route = createFileRoute('/_app/developers/')({
  // The export of the samples; by default the newest.
  validateSearch: z.object({ agent: uuid, export: uuid }),
  component: QuickstartPage,
})
