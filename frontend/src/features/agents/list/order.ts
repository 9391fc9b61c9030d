import type { AgentOrder, AgentOrderField } from '@/gql/graphql'
import { type Sort, sortsOf } from '@/shared/ui'

/** The columns by which the service sorts agents. */
const fields = {
  name: 'NAME',
  messages: 'MESSAGES_24H',
  success: 'SUCCESS_24H',
  credits: 'CREDITS_MONTH',
  used: 'LAST_USED',
} satisfies Record<string, AgentOrderField>
export type Column = keyof typeof fields
export const columns = Object.keys(fields) as Column[]

/** All orders that an address may name. */
export const sorts = sortsOf(columns)

/** The order without another in the address. */
export const usual: Sort<Column> = '-messages'

/** An order as the service takes it. */
export const orderOf = (sort: Sort<Column>): AgentOrder => ({
  field: fields[sort.replace('-', '') as Column],
  direction: sort.startsWith('-') ? 'DESC' : 'ASC',
})
