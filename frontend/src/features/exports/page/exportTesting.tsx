import userEvent from '@testing-library/user-event'
import { renderPage } from '@/testing/renderPage'

/** The panel at an export's page. */
export const open = (id: string) => ({ ...renderPage(`/exports/${id}`), user: userEvent.setup() })
