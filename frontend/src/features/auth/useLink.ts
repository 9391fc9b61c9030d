import { useLocation } from '@tanstack/react-router'

/** The parameters of a mailed link, in the fragment, which no server sees. Without a token the link was cut off. */
export function useLink() {
  const given = new URLSearchParams(useLocation({ select: ({ hash }) => hash }))
  return { token: given.get('token') ?? '', isNew: given.has('new') }
}
