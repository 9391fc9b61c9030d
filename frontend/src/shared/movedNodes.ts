/**
 * Lets React update a page whose nodes a translator has moved into elements of its own: removing or inserting next to such a node
 * would throw, and the error would take the place of the page. See https://github.com/facebook/react/issues/11538.
 */
export function tolerateMovedNodes() {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    if (this.contains(child)) child.parentNode && removeChild.call(child.parentNode, child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(node: T, next: Node | null): T {
    let before = next
    while (before && before.parentNode !== this) before = before.parentNode
    return insertBefore.call(this, node, before) as T
  }
}
