import { chat, type Owner } from './owner'
import { expect } from './test'

/** An agent that answers, one that mostly fails, and requests that are refused. */
export async function trouble(owner: Owner) {
  const desk = await owner.newAgent({ name: 'Order desk', model: 'sandbox/assistant' })
  const returns = await owner.newAgent({ name: 'Returns', model: 'sandbox/assistant' })
  const till = await owner.newExport(desk.id, 'Till')
  const portal = await owner.newExport(returns.id, 'Portal')
  for (const at of [1, 2, 3, 4, 5]) expect((await chat(till.apiKey, 'Hello', `customer-${at}`)).status).toBe(200)
  for (const at of [1, 2, 3]) {
    expect((await chat(portal.apiKey, 'Hello [[sandbox fail=error]]', `return-${at}`)).status).toBe(502)
  }
  expect((await chat(portal.apiKey, 'My parcel is broken', 'return-4')).status).toBe(200)
  for (const _ of [1, 2]) expect((await chat(till.apiKey, '', 'customer-1')).status).toBe(400)
  return { desk, returns, till, portal }
}
