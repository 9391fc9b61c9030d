import userEvent from '@testing-library/user-event'
import { renderApp } from '@/testing/renderApp'

/** The panel at an export's page. */
export const open = (id: string) => ({ ...renderApp(`/exports/${id}`), user: userEvent.setup() })
