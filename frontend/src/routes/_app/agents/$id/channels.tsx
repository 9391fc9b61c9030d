import { createFileRoute } from '@tanstack/react-router'
import { ChannelsPage } from '@/features/agents'

export const Route = createFileRoute('/_app/agents/$id/channels')({ component: ChannelsPage })
