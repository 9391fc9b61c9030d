import { createFileRoute } from '@tanstack/react-router'
import { PeoplePage } from '@/routes/_app/-activity/PeoplePage'
import { peopleSearch } from '../../-activitySearch'

export const Route = createFileRoute('/_app/activity/people/')({
  validateSearch: peopleSearch,
  component: PeoplePage,
})
