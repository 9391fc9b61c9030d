import { createFileRoute } from '@tanstack/react-router'
import { PeoplePage } from '@/features/activity'
import { peopleSearch } from '../../-activitySearch'

export const Route = createFileRoute('/_app/activity/people/')({
  validateSearch: peopleSearch,
  component: PeoplePage,
})
