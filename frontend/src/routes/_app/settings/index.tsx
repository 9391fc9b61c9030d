import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '@/features/settings'

export const Route = createFileRoute('/_app/settings/')({ component: ProfilePage })
