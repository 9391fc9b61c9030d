import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'
import { hours, service } from './testing'

beforeEach(() => session.signedIn('good', inMinutes(15), Date.now()))
afterEach(() => session.forget())

test('the arrow keys and Enter choose a part of the period on the strip, which a click gives back', async () => {
  const { parts } = service()
  const { router } = renderPage('/activity/requests?code=model_timeout')
  const strip = await screen.findByRole('slider', { name: 'Requests over time' })
  expect(strip.getAttribute('aria-valuetext')).toMatch(/^Jan 5, 3:00\sPM: 40 answered, 31 failed, 22 rejected$/)
  expect(within(screen.getByRole('table', { name: 'Requests over time' })).getAllByRole('row')).toHaveLength(4)
  // Chromium moves the value by the arrow keys; jsdom does not.
  fireEvent.keyDown(strip, { key: 'ArrowLeft', shiftKey: true })
  fireEvent.change(strip, { target: { value: '1' } })
  fireEvent.keyDown(strip, { key: 'Enter' })
  const chip = await screen.findByRole('button', { name: /Show whole period$/ })
  expect(chip.textContent).toMatch(/^Jan 5, 2:00\sPM\s–\s/)
  expect(router.state.location.search).toMatchObject({ code: 'model_timeout', since: hours[1] })
  await waitFor(() => expect(parts.at(-1)).toMatchObject({ code: 'model_timeout', from: hours[1] }))
  await userEvent.click(chip)
  await waitFor(() => expect(router.state.location.search).toEqual({ code: 'model_timeout' }))
})
