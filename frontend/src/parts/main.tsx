import '@mantine/core/styles.layer.css'
import '@/shared/ui/theme/global.css'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from '@/shared/gql'
import { Providers } from '@/shared/Providers'
import { Parts } from './Parts'

// Not in the build, whose pages vite.config.ts lists: only Vite's own server has this page, at /parts.html.
const router = createRouter({
  routeTree: createRootRoute({ component: Parts }),
  history: createMemoryHistory({ initialEntries: ['/'] }),
})
const root = document.getElementById('root')
if (!root) throw new Error('parts.html has no #root')

createRoot(root).render(
  <Providers queryClient={makeQueryClient()}>
    <RouterProvider router={router} />
  </Providers>,
)
