import '@mantine/core/styles.layer.css'
import '@/shared/ui/theme/global.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { holdQueries, makeQueryClient } from '@/shared/gql'
import { tolerateMovedNodes } from '@/shared/movedNodes'
import { Providers } from '@/shared/Providers'
import { keepPageWithoutParts, makeRouter } from './router'

tolerateMovedNodes()
keepPageWithoutParts()
holdQueries()
const queryClient = makeQueryClient()
const router = makeRouter(queryClient)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
