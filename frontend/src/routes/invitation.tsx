import { createFileRoute } from '@tanstack/react-router'
import { InvitationPage } from '@/features/members'

export const Route = createFileRoute('/invitation')({ component: InvitationPage })
