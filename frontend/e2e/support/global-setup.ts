import { startService } from './service'
import { handOut } from './target'

/** Starts one service for all tests and hands its addresses to them through the environment. */
export default async function globalSetup() {
  const service = await startService({ BRIDGE_URL: 'https://bridge.example.com' })
  handOut(service)
  return service.stop
}
