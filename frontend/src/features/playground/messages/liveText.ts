/**
 * A reply in progress. It is kept outside React state, and listeners are notified at most once per frame, so that a long reply
 * in small pieces renders once per frame, without the rest of the conversation.
 */
export class LiveText {
  #text = ''
  #shown = ''
  #frame: number | undefined
  #listeners = new Set<() => void>()

  /** The text received so far. */
  get text(): string {
    return this.#text
  }

  append(piece: string) {
    this.#text += piece
    if (this.#frame !== undefined || this.#listeners.size === 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined
      this.#shown = this.#text
      for (const listener of this.#listeners) listener()
    })
  }

  // For useSyncExternalStore.
  readonly subscribe = (listener: () => void) => {
    this.#shown = this.#text
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0 || this.#frame === undefined) return
      cancelAnimationFrame(this.#frame)
      this.#frame = undefined
    }
  }

  readonly shown = () => {
    if (this.#listeners.size === 0) this.#shown = this.#text
    return this.#shown
  }
}
