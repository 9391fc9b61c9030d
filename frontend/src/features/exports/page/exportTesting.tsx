import { screen } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { renderPage } from '@/testing/renderPage'

/** The panel at an export's page. */
export const open = (id: string) => ({ ...renderPage(`/exports/${id}`), user: userEvent.setup() })

/** Types a local day and time, as 2026-01-31T09:05, into the fields of that name. */
export async function typeMoment(user: UserEvent, label: string, moment: string) {
  const [day = '', time = ''] = moment.split('T')
  const field = screen.getByLabelText(label)
  await user.clear(field)
  await user.type(field, day)
  await user.clear(screen.getByLabelText('Time'))
  await user.type(screen.getByLabelText('Time'), time)
}
