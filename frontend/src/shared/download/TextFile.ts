/** Texts of this many UTF-16 units go to the browser, which may keep them on disk. */
const kept = 1 << 20

/** A file that is written piece by piece, and of which only the last piece is in the page's memory. */
export class TextFile {
  readonly #type: string
  #written: Blob[] = []
  #texts: string[] = []
  #length = 0

  constructor(type: string) {
    this.#type = type
  }

  add(text: string) {
    this.#texts.push(text)
    this.#length += text.length
    if (this.#length >= kept) this.#flush()
  }

  blob(): Blob {
    this.#flush()
    return new Blob(this.#written, { type: `${this.#type};charset=utf-8` })
  }

  #flush() {
    this.#written.push(new Blob(this.#texts))
    this.#texts = []
    this.#length = 0
  }
}
