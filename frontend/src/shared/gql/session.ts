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

/** An access token and when, by this machine's clock, it has to be renewed. It lives in memory only. */
type Access = { token: string; renewAt: number }

export type SessionEvent = 'signed-in' | 'signed-out' | 'expired'

type TabMessage = { kind: 'renewed' | 'signed-in'; access: Access } | { kind: 'signed-out' }

/** How long before its end a token is renewed: longer than a request's way there, and than clocks in a data centre differ. */
const marginMs = 60_000

/**
 * Session keeps the access token and renews it. However many requests need a new one, one renewal is under way; other tabs
 * wait for it and are handed its result, because a refresh token serves once.
 */
export class Session {
  #access: Access | null = null
  #renewal: Promise<Access> | null = null
  /** Known to be signed out: nobody need be asked until somebody signs in, here or in another tab. */
  #out = false
  /** Counts sign-ins and sign-outs: a renewal that was overtaken by one is worth nothing. */
  #epoch = 0
  #listeners = new Set<(event: SessionEvent) => void>()
  #tabs: BroadcastChannel | null

  constructor() {
    this.#tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('agentchat-session')
    this.#tabs?.addEventListener('message', (message: MessageEvent<TabMessage>) => this.#hear(message.data))
  }

  /** Calls listener at every sign-in, sign-out and refused renewal, of this tab or another. Returns how to stop. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes over a new sign-in's token. expiresAt and serverTime are the server's. */
  signedIn(token: string, expiresAt: string, serverTime: number) {
    this.#access = toAccess(token, expiresAt, serverTime)
    this.#epoch++
    this.#out = false
    this.#tabs?.postMessage({ kind: 'signed-in', access: this.#access } satisfies TabMessage)
    this.#tell('signed-in')
  }

  /** Forgets the token, here and in the other tabs. */
  signedOut() {
    this.forget()
    this.#out = true
    this.#tabs?.postMessage({ kind: 'signed-out' } satisfies TabMessage)
    this.#tell('signed-out')
  }

  /** Knows nothing any more, as after a reload: the refresh cookie decides. */
  forget() {
    this.#epoch++
    this.#access = null
    this.#renewal = null
    this.#out = false
  }

  /** Whether somebody is signed in; asks the server when that is not known yet. Throws when the server cannot say. */
  async isSignedIn(): Promise<boolean> {
    try {
      await this.token()
      return true
    } catch (error) {
      if (hasCode(error, 'UNAUTHENTICATED')) return false
      throw error
    }
  }

  /** A token that is good for a while. `stale` is one that the server has just refused. ApiError UNAUTHENTICATED: nobody is signed in. */
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
    // A renewal of before the sign-out may be told of after it; its token is worth nothing.
    if (message.kind === 'renewed' && this.#out) return
    this.#access = message.kind === 'signed-out' ? null : message.access
    this.#out = message.kind === 'signed-out'
    if (message.kind === 'renewed') return
    this.#epoch++
    this.#tell(message.kind)
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

/** How long a tab keeps its turn after a renewal: the message that brings the token to the others takes a moment. */
const handOverMs = 250

/**
 * Runs work while no other tab of this origin does. Web Locks exist on https and localhost only; without them two tabs may
 * renew at once, which the server allows for within its ten seconds of grace.
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
