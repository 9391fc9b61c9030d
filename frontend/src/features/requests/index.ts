export { eachRequest } from './download'
export { fixOf } from './failures'
export { OutcomeBadge } from './OutcomeBadge'
export { Requests, SaveRequests } from './RequestsPage'
