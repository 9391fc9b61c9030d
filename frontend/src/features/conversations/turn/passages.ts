/** A passage that a reply cites, or that was in the prompt. */
type Passage = {
  /** The number by which the reply cites it. */
  n: number
  /** Missing if it was deleted. */
  source?: { id: string } | null
  /** The source's name when the message was answered. */
  name: string
  heading?: string | null
  page?: number | null
}

export type Cited = Passage

/** `text` is missing if its source was deleted. */
export type Given = Passage & { text?: string | null }
