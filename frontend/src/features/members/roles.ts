import type { Role } from '@/gql/graphql'

/** The roles, least first. */
export const roles: readonly Role[] = ['VIEWER', 'EDITOR', 'OWNER']
