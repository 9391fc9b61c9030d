import { createFileRoute } from '@tanstack/react-router'

// The page of the list shows the conversation next to it.
export const Route = createFileRoute('/_app/activity/conversations/$id')({})
