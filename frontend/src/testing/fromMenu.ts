import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Chooses from the menu of a page's further actions. Without layout the menu may be taken for scrolled away, and be hidden. */
export async function fromMenu(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name, hidden: true }))
}
