import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { i18n } from '@/shared/i18n'
import { cssVariablesResolver, Overlays, Toasts, theme } from '@/shared/ui'

type Props = { queryClient: QueryClient; env?: 'test'; children: ReactNode }

/** The context of every page. With `env="test"` the components neither animate nor hide what jsdom cannot place. */
export function Providers({ queryClient, env, children }: Props) {
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider env={env} theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
          {children}
          <Overlays />
          <Toasts />
        </MantineProvider>
      </QueryClientProvider>
    </I18nextProvider>
  )
}
