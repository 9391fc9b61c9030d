import type { Page } from '@playwright/test'
import { fromMenu } from '../../support/menu'
import { expect } from '../../support/test'
import { at, press, type State, sheet } from '../state'

/** Opens the first person of the list. */
const firstPerson = async (page: Page) => {
  await page.getByRole('row').nth(1).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeVisible()
}

export const people: State[] = [
  { name: 'people', route: '/activity/people', as: 'ada', path: at('/activity/people') },
  { name: 'people-long', route: '/activity/people', as: 'long', path: at('/activity/people') },
  { name: 'people-empty', route: '/activity/people', as: 'newcomer', path: at('/activity/people') },
  { name: 'people-no-match', route: '/activity/people', as: 'ada', path: at('/activity/people?search=zzz') },
  {
    name: 'person',
    route: '/activity/people/person',
    as: 'ada',
    path: at('/activity/people'),
    open: firstPerson,
  },
  {
    name: 'person-long',
    route: '/activity/people/person',
    as: 'long',
    path: at('/activity/people'),
    open: firstPerson,
  },
  {
    name: 'person-erase',
    route: '/activity/people/person',
    as: 'ada',
    path: at('/activity/people'),
    open: async (page) => {
      await firstPerson(page)
      await fromMenu(page, 'Erase…')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'person-menu',
    route: '/activity/people/person',
    as: 'ada',
    path: at('/activity/people'),
    open: async (page) => {
      await firstPerson(page)
      await press(/^More/, 'menu')(page)
    },
  },
  {
    name: 'person-invalid',
    route: '/activity/people/person',
    as: 'ada',
    path: at('/activity/people'),
    open: async (page) => {
      await firstPerson(page)
      await page.getByLabel('Messages per day (UTC)').fill('0')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(/^Enter a whole number/)).toBeVisible()
    },
  },
  {
    name: 'people-filters',
    route: '/activity/people',
    as: 'ada',
    path: at('/activity/people'),
    open: sheet,
    only: 'narrow',
  },
  {
    name: 'person-loading',
    route: '/activity/people/person',
    as: 'ada',
    path: at('/activity/people/person?id=nobody'),
    network: 'slow',
  },
  {
    name: 'person-unknown',
    route: '/activity/people/person',
    as: 'ada',
    path: at('/activity/people/person?id=nobody'),
  },
]
