/** The address of a conversation or one of its turns, to pass on. */
export const linkTo = (id: string, turn?: number) =>
  `${window.location.origin}/activity/conversations/${id}${turn === undefined ? '' : `?turn=${turn}`}`
