import { People } from '@/features/people'
import { ActivityFrame } from './ActivityFrame'

/** Who talks, and how much: of the whole account, or with the agent in the address. */
export const PeoplePage = () => (
  <ActivityFrame>
    <People />
  </ActivityFrame>
)
