import { createFileRoute } from '@tanstack/react-router'
import { PlaygroundPage } from '@/features/playground'

export const Route = createFileRoute('/_app/agents/$id/playground')({ component: PlaygroundPage })
