import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AuditPage } from '@/features/audit'
import { day, text, uuid } from '../-search'

export const Route = createFileRoute('/_app/settings/audit')({
  // The first and the last local day, both inclusive.
  validateSearch: z.object({ action: text, actor: uuid, from: day, to: day }),
  component: AuditPage,
})
