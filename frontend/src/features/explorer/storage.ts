/**
 * A storage for GraphiQL that keeps nothing: variables may contain a password, and answers may contain keys and customers'
 * messages. A reload therefore starts over.
 */
export const nowhere = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
  clear: () => undefined,
  length: 0,
}
