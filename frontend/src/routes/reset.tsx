import { createFileRoute } from '@tanstack/react-router'
import { ResetPage } from '@/features/auth'

export const Route = createFileRoute('/reset')({ component: ResetPage })
