import type { Request, Route } from '@playwright/test'

/** The names of the operations in a GraphQL request: the panel sends queries of the same moment in one document. */
export const operationsOf = (request: Request) =>
  /\b(?:query|mutation|subscription) (\w+)/.exec(request.postData() ?? '')?.[1]?.split('_') ?? []

/** Refuses a document with several queries, so that the panel sends each alone. */
export const separate = (route: Route) =>
  route.fulfill({ json: { errors: [{ message: 'One at a time.', extensions: { code: 'LIMIT_EXCEEDED' } }] } })
