import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderPage } from '@/testing/renderPage'

afterEach(() => session.forget())

test('each view keeps the filters of the others, but not its search', async () => {
  session.signedIn('good', inMinutes(15), Date.now())
  const none = { nodes: [], pageInfo: { hasNextPage: false } }
  answer({ agents: none, viewer: { id: '1', name: 'Ada', endUsers: none } })
  const agent = '0193f5a0-0000-7000-8000-000000000001'
  renderPage(`/activity/people?agent=${agent}&time=30d&userId=maria&outcome=FAILED&text=parcel&search=ma`)
  const views = within(await screen.findByRole('navigation', { name: 'Views' }))
  const searchOf = (name: string) => {
    const { search } = new URL(views.getByRole('link', { name }).getAttribute('href') ?? '', 'http://panel')
    return Object.fromEntries(new URLSearchParams(search))
  }
  const kept = { time: '30d', userId: 'maria', outcome: 'FAILED', text: 'parcel' }
  expect(searchOf('Conversations')).toEqual({ ...kept, agent })
  expect(searchOf('Requests')).toEqual({ ...kept, agentId: agent })
})
