import { createFileRoute } from '@tanstack/react-router'
import { GraphqlPage } from '@/features/developers'

export const Route = createFileRoute('/_app/developers/graphql')({ component: GraphqlPage })
