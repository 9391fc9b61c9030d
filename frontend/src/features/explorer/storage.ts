/**
 * GraphiQL's storage, which keeps nothing: the variables of a sign-in hold a password, and the answers hold keys and what
 * customers wrote. A reload therefore begins anew.
 */
export const nowhere = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
  clear: () => undefined,
  length: 0,
}
