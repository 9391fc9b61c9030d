export { CitedSources } from './CitedSources'
export { GivenPassages } from './GivenPassages'
export { priceOf, useKnows } from './price'
export { knowledgeUseQuery } from './queries'
