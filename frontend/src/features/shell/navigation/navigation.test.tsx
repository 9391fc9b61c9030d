import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { session } from '@/shared/gql'
import { type Departure, guardLeaving } from '@/shared/navigation/leaving'
import { answer, inMinutes, server } from '@/shared/testing/server'
import { renderApp } from '@/testing/renderApp'

const list = '/assets/files-test.json'

afterEach(() => {
  session.forget()
  document.querySelector('meta[name="panel-files"]')?.remove()
})

/**
 * Opens a page of a build in which some others need one more file, which `fetchFile` answers. What was fetched is not fetched again,
 * so each test opens another. `page` is the service's index.html.
 */
async function open(fetchFile: () => Response | Promise<Response>, page = list) {
  session.signedIn('good', inMinutes(15), Date.now())
  answer({})
  document.head.insertAdjacentHTML('beforeend', `<meta name="panel-files" content="${list}">`)
  const routes = ['/_app/', '/_app/exports/', '/_app/settings/', '/_app/usage/']
  server.use(
    http.get(`*${list}`, () => HttpResponse.json(Object.fromEntries(routes.map((id) => [id, [`/assets${id}.js`]])))),
    http.get('*/assets/_app/*', fetchFile),
    http.get('*/', () => HttpResponse.html(page)),
  )
  const { router } = renderApp('/developers/graphql')
  const nav = within(await screen.findByRole('navigation', { name: 'Main' }))
  await screen.findByRole('heading', { level: 1 })
  return { router, press: (name: string) => userEvent.click(nav.getByRole('link', { name })) }
}

const path = (router: ReturnType<typeof renderApp>['router']) => router.state.location.pathname

/** The toast with a text. */
async function toastOf(text: string) {
  return within((await screen.findByText(text)).closest<HTMLElement>('[role=group]') as HTMLElement)
}

test('a page whose files fail stays closed, and Retry opens it', async () => {
  let fails = true
  const { router, press } = await open(() => (fails ? HttpResponse.error() : new HttpResponse()))
  await press('Settings')
  const toast = await toastOf('Couldn’t open Settings. Check your connection.')
  expect(path(router)).toBe('/developers/graphql')
  fails = false
  await userEvent.click(toast.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(path(router)).toBe('/settings'))
  expect(screen.queryByText(/^Couldn’t open/)).toBeNull()
})

test('a page that another build has replaced offers to reload', async () => {
  const { router, press } = await open(() => new HttpResponse(null, { status: 404 }), '/assets/files-other.json')
  await press('Usage & credits')
  const toast = await toastOf('This page was updated. Reload when you’re ready.')
  expect(toast.getByRole('button', { name: 'Reload' })).toBeTruthy()
  expect(path(router)).toBe('/developers/graphql')
})

test('the target is marked at once and its opening is announced; another click replaces it', async () => {
  let arrive = (_: Response) => {}
  const { router, press } = await open(() => new Promise((resolve) => (arrive = resolve)))
  await press('API exports')
  const marked = () => document.querySelector('nav [data-active]')?.textContent
  expect(marked()).toBe('API exports')
  expect(path(router)).toBe('/developers/graphql')
  await screen.findByRole('progressbar', { name: 'Opening API exports…' })
  await press('Agents')
  await waitFor(() => expect(path(router)).toBe('/agents'))
  expect(marked()).toBe('Agents')
  arrive(new HttpResponse())
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  expect(path(router)).toBe('/agents')
})

test('text is asked about before files are fetched and discarded only once the page is left', async () => {
  let fails = true
  const { router, press } = await open(() => (fails ? HttpResponse.error() : new HttpResponse()))
  const seen: string[] = []
  const discard = () => void seen.push('discarded')
  const end = guardLeaving({
    isSaved: () => false,
    mayLeave: async ({ discards }: Departure) => {
      if (!discards.has(discard)) seen.push('asked')
      discards.add(discard)
      return true
    },
  })
  await press('Home')
  const toast = await toastOf('Couldn’t open Home. Check your connection.')
  expect(seen).toEqual(['asked'])
  fails = false
  await userEvent.click(toast.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(path(router)).toBe('/'))
  expect(seen).toEqual(['asked', 'asked', 'discarded'])
  end()
})

test('the open page’s own link cancels what waits, and Retry keeps the hash', async () => {
  let answer: () => Response | Promise<Response> = () => new Promise(() => {})
  const { router, press } = await open(() => answer())
  await press('Agents')
  await waitFor(() => expect(path(router)).toBe('/agents'))
  await press('Usage & credits')
  await screen.findByRole('progressbar', { name: 'Opening Usage & credits…' })
  await press('Agents')
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  expect(document.querySelector('nav [data-active]')?.textContent).toBe('Agents')
  answer = () => HttpResponse.error()
  void router.navigate({ to: '/usage', hash: 'table' })
  const toast = await toastOf('Couldn’t open Usage & credits. Check your connection.')
  answer = () => new HttpResponse()
  await userEvent.click(toast.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(path(router)).toBe('/usage'))
  expect(router.state.location.hash).toBe('table')
})
