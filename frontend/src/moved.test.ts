import { expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { answer, inMinutes } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'
import { movedTo } from './moved'
import moved from './moved.json'

const id = '01a2345b-0000-7000-8000-000000000001'
const at = (address: string) => address.replaceAll('$id', id)

test.each(Object.entries(moved))('acceptance 19: %s leads to %s, with what stands behind it', async (old, now) => {
  session.signedIn('good', inMinutes(15), Date.now())
  answer({})
  const [page = '', more = ''] = now.split('?')
  const { router, unmount } = renderApp(`${at(old)}?search=x#errors`)
  await expect.poll(() => router.state.resolvedLocation?.pathname, { timeout: 30_000 }).toBe(at(page))
  expect(router.state.location.hash).toBe('errors')
  expect(router.state.matches.at(-1)?.fullPath.replace(/(.)\/$/, '$1')).toBe(page)
  expect(router.state.location.search).toMatchObject(Object.fromEntries(new URLSearchParams(at(more))))
  expect(movedTo(at(page))).toBeUndefined() // one step, and no circle
  unmount()
  session.forget()
})

test.each([
  ['/usage?range=30d&split=model', '/usage?split=model'],
  [`/agents/${id}/usage?range=7d`, `/usage?agent=${id}&split=export`],
  ['/credits?kind=GRANT', '/usage/credits?kind=GRANT'],
  ['/credits?from=2026-01-02&to=2026-01-03', '/usage/credits?from=2026-01-02&to=2026-01-03'],
  [`/agents/${id}/playground?session=s1&continue=t9`, `/agents/${id}?session=s1&continue=t9&try=window`],
])('%s leads to %s, with the search parameters that the page knows', async (old, now) => {
  session.signedIn('good', inMinutes(15), Date.now())
  answer({})
  const { router, unmount } = renderApp(old)
  const wanted = new URL(now, 'http://panel')
  await expect.poll(() => router.state.resolvedLocation?.pathname, { timeout: 30_000 }).toBe(wanted.pathname)
  expect(router.state.location.search).toEqual(Object.fromEntries(wanted.searchParams))
  unmount()
  session.forget()
})

test('only whole addresses have moved', () => {
  expect(movedTo('/requests/')).toBe('/activity/requests')
  expect(movedTo('/requestsx')).toBeUndefined()
  expect(movedTo('/agents')).toBeUndefined()
  expect(movedTo(`/agents/${id}/channels`)).toBeUndefined()
})
