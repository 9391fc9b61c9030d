import '@mantine/core/styles.css'
import '@/shared/ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ExplorerPage } from '@/features/explorer'
import { makeQueryClient } from '@/shared/gql'
import { Providers } from '@/shared/Providers'

// The explorer is a separate page, not a route of the panel: it has its own content policy, and GraphiQL stays out of the
// panel's files.
const queryClient = makeQueryClient()
const root = document.getElementById('root')
if (!root) throw new Error('explorer.html has no #root')

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <ExplorerPage />
    </Providers>
  </StrictMode>,
)
