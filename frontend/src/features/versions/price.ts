type Priced = { creditsPerMessage: number; creditsWithKnowledge?: number | null }

/** What an answered message costs, by whether its agent knows something. */
export const priceOf = ({ creditsPerMessage, creditsWithKnowledge }: Priced, knows: boolean) =>
  knows ? (creditsWithKnowledge ?? creditsPerMessage) : creditsPerMessage
