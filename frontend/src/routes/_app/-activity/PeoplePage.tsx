import { ActivityFrame } from '@/features/agents'
import { People } from '@/features/people'

/** Who talks, and how much: of the whole account, or with the agent in the address. */
export const PeoplePage = () => (
  <ActivityFrame>
    <People />
  </ActivityFrame>
)
