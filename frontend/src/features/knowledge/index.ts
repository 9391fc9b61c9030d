export { priceOf, useKnows } from './price'
export { knowledgeUseQuery } from './queries'
