import { Requests, SaveRequests } from '@/features/requests'
import { ActivityFrame } from './ActivityFrame'

/** Which requests came, refused ones included: of the whole account, or to the agent in the address. */
export const RequestsPage = () => (
  <ActivityFrame actions={<SaveRequests />}>
    <Requests />
  </ActivityFrame>
)
