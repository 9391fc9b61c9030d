import { ActivityFrame } from '@/features/agents'
import { Requests, SaveRequests } from '@/features/requests'

/** Which requests came, refused ones included: of the whole account, or to the agent in the address. */
export const RequestsPage = () => (
  <ActivityFrame actions={<SaveRequests />}>
    <Requests />
  </ActivityFrame>
)
