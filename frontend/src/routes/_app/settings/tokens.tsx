import { createFileRoute } from '@tanstack/react-router'
import { TokensPage } from '@/features/developers'

export const Route = createFileRoute('/_app/settings/tokens')({ component: TokensPage })
