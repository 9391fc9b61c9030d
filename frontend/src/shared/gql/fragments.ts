import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core'
import type { FragmentType } from '@/gql'

/** A node with the fields of a fragment that it spreads, for code that passes on the whole node. */
export function withFragment<Fields, Variables, Node extends FragmentType<DocumentTypeDecoration<Fields, Variables>>>(
  _fragment: DocumentTypeDecoration<Fields, Variables>,
  node: Node,
): Node & Fields {
  return node as Node & Fields
}
