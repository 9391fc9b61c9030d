import { createFileRoute } from '@tanstack/react-router'
import { ExportPage } from '@/features/exports'

export const Route = createFileRoute('/_app/exports/$id')({ component: ExportPage })
