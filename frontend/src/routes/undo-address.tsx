import { createFileRoute } from '@tanstack/react-router'
import { UndoAddressPage } from '@/features/auth'

export const Route = createFileRoute('/undo-address')({ component: UndoAddressPage })
