import { useLocation } from '@tanstack/react-router'

/** What the link of a mail says, in the fragment, which no server sees. Without a token it was cut off. */
export function useLink() {
  const given = new URLSearchParams(useLocation({ select: ({ hash }) => hash }))
  return { token: given.get('token') ?? '', isNew: given.has('new') }
}
