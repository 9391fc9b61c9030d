export { eachRequest } from './download'
export { fixOf } from './failures'
export { OutcomeBadge } from './OutcomeBadge'
export { RequestsPage } from './RequestsPage'
