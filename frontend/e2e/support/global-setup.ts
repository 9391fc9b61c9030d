import { startService } from './service'

/** Starts one service for all tests and hands its addresses to them through the environment. */
export default async function globalSetup() {
  const service = await startService()
  process.env.E2E_ADDRESSES = JSON.stringify({ ...service, stop: undefined })
  return service.stop
}
