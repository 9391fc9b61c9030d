import type { GraphiQLProps } from 'graphiql'
import { follow, isSubscription, type Params, type Result, send } from './send'

type Fetcher = GraphiQLProps['fetcher']

/** Sends GraphiQL's operations. It returns observables, because GraphiQL's Stop button ends only those. */
export const fetcher: Fetcher = (given) => {
  const params = given as Params
  return observe((signal) => (isSubscription(params) ? follow(params, signal) : once(send(params, signal))))
}

type Observer<T> = { next: (value: T) => void; error: (error: unknown) => void; complete: () => void }

async function* once(answer: Promise<Result>) {
  yield await answer
}

/** An observable of answers. Unsubscribing ends the request. */
function observe<T>(ask: (signal: AbortSignal) => AsyncIterable<T>) {
  return {
    subscribe(observer: unknown) {
      const { next, error, complete } = observer as Observer<T>
      const aborter = new AbortController()
      const pass = async () => {
        for await (const value of ask(aborter.signal)) {
          if (aborter.signal.aborted) return
          next(value)
        }
        if (!aborter.signal.aborted) complete()
      }
      pass().catch((reason) => {
        if (!aborter.signal.aborted) error(reason)
      })
      return { unsubscribe: () => aborter.abort() }
    },
  }
}
