import type { Page } from '@playwright/test'
import { expect } from '../../support/test'
import { agent, press, publishing, type State, submit, transcript } from '../state'

const route = '/agents/$id/tests'

/** Opens the newest run, which failed. */
const newestRun = async (page: Page) => {
  await page.getByRole('link', { name: 'Run 2' }).first().click()
  await expect(page.getByText(/2 of 3 cases/)).toBeVisible()
}

export const tests: State[] = [
  { name: 'tests-empty', route, as: 'ada', path: agent('/tests') },
  { name: 'tests-new', route, as: 'ada', path: agent('/tests?case=new') },
  {
    name: 'tests-new-errors',
    route,
    as: 'ada',
    path: agent('/tests?case=new'),
    open: submit('Save case'),
  },
  { name: 'tests-settings', route, as: 'ada', path: agent('/tests'), open: press('Test settings') },
  { name: 'tests-cases', route, as: 'proving', path: agent('/tests') },
  { name: 'tests-start', route, as: 'proving', path: agent('/tests'), open: press('Run tests') },
  { name: 'tests-run', route, as: 'proving', path: agent('/tests'), open: newestRun },
  {
    name: 'tests-compared',
    route,
    as: 'proving',
    path: agent('/tests'),
    open: async (page) => {
      await newestRun(page)
      await page.getByLabel('Compare with').selectOption({ label: 'Run 1 · Version 1' })
      await expect(page.getByText(/1 worse/)).toBeVisible()
      await page.getByRole('button', { name: 'Refund within 30 days' }).click()
      await expect(page.getByText('Attempt 1')).toBeVisible()
    },
  },
  { name: 'tests-gate', route, as: 'proving', path: agent('/tests'), open: publishing },
  { name: 'ratings', route: '/activity/conversations/$id', as: 'proving', path: transcript },
  {
    name: 'ratings-list',
    route: '/agents/$id/activity/conversations',
    as: 'proving',
    path: agent('/activity/conversations'),
  },
  { name: 'ratings-versions', route: '/agents/$id/versions', as: 'proving', path: agent('/versions') },
]
