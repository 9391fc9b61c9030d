import { createFileRoute } from '@tanstack/react-router'
import { RequestsPage } from '@/routes/_app/-activity/RequestsPage'
import { requestSearch } from '../../../-activitySearch'

export const Route = createFileRoute('/_app/agents/$id/activity/requests')({
  validateSearch: requestSearch,
  component: RequestsPage,
})
