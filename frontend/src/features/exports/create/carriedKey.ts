import type { ShownKey } from '@/shared/ui'

type Carried = ShownKey & { id: string }

/** A key on its way from the list to the page of its export. Memory only: it is in no address, cache or storage. */
let carried: Carried | undefined

export const carryKey = (key: Carried) => {
  carried = key
}

/** The key that was created for an export's page. Reading it does not drop it: React may render a page twice before it is shown. */
export const carriedKey = (exportId: string) => (carried?.id === exportId ? carried : undefined)

export const dropCarriedKey = () => {
  carried = undefined
}
