import { createFileRoute } from '@tanstack/react-router'
import { VerifyPage } from '@/features/auth'

export const Route = createFileRoute('/verify')({ component: VerifyPage })
