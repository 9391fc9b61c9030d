import type { Page } from '@playwright/test'
import { fromMenu } from '../../support/menu'
import { expect } from '../../support/test'
import { agent, at, type State } from '../state'

/** Opens the first person of the list. */
const firstPerson = async (page: Page) => {
  await page.getByRole('row').nth(1).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeVisible()
}

export const people: State[] = [
  { name: 'people', route: '/people', as: 'ada', path: at('/people') },
  { name: 'people-long', route: '/people', as: 'long', path: at('/people') },
  { name: 'people-empty', route: '/people', as: 'newcomer', path: at('/people') },
  { name: 'people-no-match', route: '/people', as: 'ada', path: at('/people?search=zzz') },
  {
    name: 'person',
    route: '/people/person',
    as: 'ada',
    path: at('/people'),
    open: firstPerson,
  },
  {
    name: 'person-long',
    route: '/people/person',
    as: 'long',
    path: at('/people'),
    open: firstPerson,
  },
  {
    name: 'person-erase',
    route: '/people/person',
    as: 'ada',
    path: at('/people'),
    open: async (page) => {
      await firstPerson(page)
      await fromMenu(page, 'Erase…')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  { name: 'person-unknown', route: '/people/person', as: 'ada', path: at('/people/person?id=nobody') },

  { name: 'end-users', route: '/agents/$id/end-users', as: 'ada', path: agent('/end-users') },
]
