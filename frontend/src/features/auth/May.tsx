import type { ReactNode } from 'react'
import type { Role } from '@/gql/graphql'
import { useMay } from './viewer'

type Props = { least: Role; children: ReactNode }

/** What only some roles may use; others do not see it, or something else. */
export function May({ least, otherwise = null, children }: Props & { otherwise?: ReactNode }) {
  return useMay(least) ? children : otherwise
}

/** Fields that only some roles may change; others read them. */
export function MayChange({ least, children }: Props) {
  return (
    <fieldset className="panel-fieldset" disabled={!useMay(least)}>
      {children}
    </fieldset>
  )
}
