import { graphql } from '@/gql'
import { ApiError, hasCode } from './errors'
import { post } from './post'

const RenewAccess = graphql(`
  mutation RenewAccess {
    renewAccess {
      accessToken
      expiresAt
    }
  }
`)

/** An access token and when to renew it, by this machine's clock. Kept in memory only. */
type Access = { token: string; renewAt: number }

/** `elsewhere`: signed out in another tab. */
export type SessionEvent = 'signed-in' | 'signed-out' | 'expired' | 'elsewhere'

type TabMessage = { kind: 'renewed' | 'signed-in'; access: Access } | { kind: 'signed-out' }

/** How long before expiry a token is renewed: longer than a request takes, and than server clocks differ. */
const marginMs = 60_000

/**
 * Session keeps the access token and renews it. There is only one renewal at a time, however many requests need it; other tabs
 * wait for it and receive its result, because a refresh token works once.
 */
export class Session {
  #access: Access | null = null
  #renewal: Promise<Access> | null = null
  /** Known to be signed out: no renewal is tried until a sign-in, here or in another tab. */
  #out = false
  /** Counts sign-ins and sign-outs: a renewal that overlaps with one is discarded. */
  #epoch = 0
  #listeners = new Set<(event: SessionEvent) => void>()
  #tabs: BroadcastChannel | null

  constructor() {
    this.#tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('agentchat-session')
    this.#tabs?.addEventListener('message', (message: MessageEvent<TabMessage>) => this.#hear(message.data))
  }

  /** Calls listener on every sign-in, sign-out and rejected renewal, in this tab or another. Returns the unsubscribe function. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Stores the token of a new sign-in. expiresAt and serverTime are by the server's clock. */
  signedIn(token: string, expiresAt: string, serverTime: number) {
    this.#access = toAccess(token, expiresAt, serverTime)
    this.#epoch++
    this.#out = false
    this.#tabs?.postMessage({ kind: 'signed-in', access: this.#access } satisfies TabMessage)
    this.#tell('signed-in')
  }

  /** Drops the token, here and in the other tabs. */
  signedOut() {
    this.forget()
    this.#out = true
    this.#tabs?.postMessage({ kind: 'signed-out' } satisfies TabMessage)
    this.#tell('signed-out')
  }

  /** Resets everything, as after a reload: the refresh cookie decides. */
  forget() {
    this.#epoch++
    this.#access = null
    this.#renewal = null
    this.#out = false
  }

  /** Whether an account is signed in, as far as this tab knows without asking. */
  known(): boolean | undefined {
    if (this.#out) return false
    return this.#access ? true : undefined
  }

  /** Whether an account is signed in. Asks the server if not known yet; throws if it cannot say. */
  async isSignedIn(): Promise<boolean> {
    try {
      await this.token()
      return true
    } catch (error) {
      if (hasCode(error, 'UNAUTHENTICATED')) return false
      throw error
    }
  }

  /** A valid token. `stale` is one that the server has just rejected. Throws ApiError UNAUTHENTICATED if signed out. */
  async token(stale?: string): Promise<string> {
    const access = this.#access
    if (access && access.token !== stale && Date.now() < access.renewAt) return access.token
    if (this.#out) throw signedOutError()
    if (!this.#renewal) {
      const renewal = this.#renew(stale).finally(() => {
        if (this.#renewal === renewal) this.#renewal = null
      })
      this.#renewal = renewal
    }
    return (await this.#renewal).token
  }

  #renew(stale: string | undefined): Promise<Access> {
    return oneTabAtATime(async () => {
      const access = this.#access
      if (access && access.token !== stale && Date.now() < access.renewAt) return access // another tab has just renewed it
      const wasSignedIn = access !== null
      const epoch = this.#epoch
      try {
        const { data, serverTime } = await post(RenewAccess, undefined)
        const renewed = toAccess(data.renewAccess.accessToken, data.renewAccess.expiresAt, serverTime)
        if (epoch !== this.#epoch) return this.#overtaken()
        this.#access = renewed
        this.#tabs?.postMessage({ kind: 'renewed', access: renewed } satisfies TabMessage)
        return renewed
      } catch (error) {
        if (hasCode(error, 'UNAUTHENTICATED') && epoch === this.#epoch) {
          this.#access = null
          this.#out = true
          if (wasSignedIn) this.#tell('expired')
        }
        throw error
      }
    })
  }

  #overtaken(): Access {
    if (this.#access) return this.#access
    throw signedOutError()
  }

  #hear(message: TabMessage) {
    // A renewal from before the sign-out may be announced after it; its token is invalid.
    if (message.kind === 'renewed' && this.#out) return
    this.#access = message.kind === 'signed-out' ? null : message.access
    this.#out = message.kind === 'signed-out'
    if (message.kind === 'renewed') return
    this.#epoch++
    this.#tell(message.kind === 'signed-out' ? 'elsewhere' : message.kind)
  }

  #tell(event: SessionEvent) {
    for (const listener of this.#listeners) listener(event)
  }
}

const signedOutError = () => new ApiError('UNAUTHENTICATED', '', { requestId: '' })

function toAccess(token: string, expiresAt: string, serverTime: number): Access {
  const lifetime = Date.parse(expiresAt) - serverTime
  if (Number.isNaN(lifetime)) throw new ApiError('BAD_ANSWER', '', { requestId: '' })
  return { token, renewAt: Date.now() + Math.max(lifetime - marginMs, lifetime / 2) }
}

/** How long a tab keeps the lock after a renewal, until the other tabs have received the token. */
const handOverMs = 250

/**
 * Runs work while no other tab of this origin does. Web Locks exist on https and localhost only; without them two tabs may
 * renew at once, which the server tolerates within ten seconds.
 */
function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (typeof navigator === 'undefined' || !navigator.locks) return work()
  return new Promise((resolve, reject) => {
    const turn = async () => {
      const done = work()
      done.then(resolve, reject)
      await done.catch(() => {})
      await new Promise((over) => setTimeout(over, handOverMs))
    }
    navigator.locks.request('agentchat-renewal', turn).catch(reject)
  })
}

export const session = new Session()
