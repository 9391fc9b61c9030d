import type { GraphiQLProps } from 'graphiql'
import { type Params, send } from './send'

type Fetcher = GraphiQLProps['fetcher']

/** What GraphiQL sends its operations with. It is an observable, because only those are let go of by its Stop button. */
export const fetcher: Fetcher = (params) => observe((signal) => send(params as Params, signal))

type Observer<T> = { next: (value: T) => void; error: (error: unknown) => void; complete: () => void }

/** An observable of one answer. Whoever unsubscribes ends the request, and hears nothing any more. */
function observe<T>(ask: (signal: AbortSignal) => Promise<T>) {
  return {
    subscribe(observer: unknown) {
      const { next, error, complete } = observer as Observer<T>
      const aborter = new AbortController()
      const unlessAborted = (tell: () => void) => !aborter.signal.aborted && tell()
      ask(aborter.signal).then(
        (value) =>
          unlessAborted(() => {
            next(value)
            complete()
          }),
        (reason) => unlessAborted(() => error(reason)),
      )
      return { unsubscribe: () => aborter.abort() }
    },
  }
}
