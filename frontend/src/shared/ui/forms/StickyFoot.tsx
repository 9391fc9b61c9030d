import type { ReactNode } from 'react'

/** The foot of a form in a drawer: its buttons and notices stay in view while the fields scroll. */
export function StickyFoot({ children }: { children: ReactNode }) {
  return <div className="panel-sticky-foot">{children}</div>
}
