export { OutcomeBadge } from './OutcomeBadge'
export { RequestsPage } from './RequestsPage'
