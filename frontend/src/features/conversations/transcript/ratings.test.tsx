import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { renderPage } from '@/testing/renderPage'
import { service } from './testing'

afterEach(() => session.forget())

const turn = async (number = 1) => within(await screen.findByRole('article', { name: `Turn ${number}` }))
const button = async (name: string) => (await turn()).findByRole('button', { name })

test('a reply can be rated with a note and rated again, and the rating withdrawn', async () => {
  const { rated } = service([{ reply: 'Yes.' }])
  renderPage('/activity/conversations/c1')
  await userEvent.click(await button('Bad reply'))
  expect(await (await turn()).findByText('Rated bad by Ada')).toBeTruthy()
  expect((await button('Bad reply')).getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(await button('Add a note'))
  const note = await (await turn()).findByRole('textbox', { name: 'Note' })
  expect(document.activeElement).toBe(note)
  await userEvent.type(note, '<b>Wrong</b> warehouse')
  await userEvent.click(await button('Save'))
  expect(await (await turn()).findByText('<b>Wrong</b> warehouse')).toBeTruthy()
  await waitFor(async () => expect(document.activeElement).toBe(await button('Edit note')))
  await userEvent.click(await button('Good reply'))
  expect(await (await turn()).findByText('Rated good by Ada')).toBeTruthy()
  await userEvent.click(await button('Good reply'))
  await waitFor(async () => expect((await turn()).queryByText(/^Rated/)).toBeNull())
  expect(rated).toEqual([
    { turnId: 't1', value: 'DOWN' },
    { turnId: 't1', value: 'DOWN', note: '<b>Wrong</b> warehouse' },
    { turnId: 't1', value: 'UP' },
    { turnId: 't1', value: null },
  ])
})

test('a rating that cannot be saved shows an error and keeps the typed note', async () => {
  service([{ reply: 'Yes.', ratings: [{ kind: 'TEAM', value: 'UP', note: '' }] }])
  renderPage('/activity/conversations/c1')
  await userEvent.click(await button('Add a note'))
  await userEvent.type(await (await turn()).findByRole('textbox', { name: 'Note' }), 'refused')
  await userEvent.click(await button('Save'))
  expect((await (await turn()).findByRole('alert')).textContent).toBe('Couldn’t save the rating. Try again.')
  expect((await turn()).getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'refused')
  await userEvent.click(await button('Cancel'))
  expect(await button('Add a note')).toBeTruthy()
})

test('a user’s rating is shown next to the team’s; a failed reply cannot be rated', async () => {
  service([
    {
      reply: 'Yes.',
      ratings: [
        { kind: 'CALLER', value: 'DOWN', note: 'Too short' },
        { kind: 'TEAM', value: 'UP', note: '', ratedBy: null },
      ],
    },
    { state: 'FAILED', errorCode: 'model_error', reply: null },
  ])
  renderPage('/activity/conversations/c1')
  const marks = (await turn()).getAllByText(/^Rated/).map(({ textContent }) => textContent)
  expect(marks).toEqual(['Rated bad by the user', 'Rated good by the team'])
  expect((await turn()).getByText('Too short')).toBeTruthy()
  expect((await turn(2)).queryByRole('button', { name: 'Good reply' })).toBeNull()
})
