export { CallAgent } from './CallAgent'
export { FirstCall } from './FirstCall'
export { needsUser } from './snippets'
