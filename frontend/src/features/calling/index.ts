export { CallAgent } from './CallAgent'
export { FirstCall } from './FirstCall'
export { SameCall } from './SameCall'
export { needsUser } from './snippets/snippets'
