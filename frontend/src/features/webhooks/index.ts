export { WebhooksPage } from './WebhooksPage'
