import type { Page } from '@playwright/test'
import { fromMenu } from '../../support/menu'
import { expect } from '../../support/test'
import { agent, at, press, publishing, type State } from '../state'
import { changedElsewhere, notSaved } from '../unsaved'
import { unknownId } from '../world'

const choose = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(page.getByRole('region', { name: 'Selected rows' })).toBeVisible()
}

/** The list of agents, and the pages on which one is built and published. */
export const agents: State[] = [
  // Agents.
  { name: 'agents', route: '/agents', as: 'ada', path: at('/agents') },
  { name: 'agents-empty', route: '/agents', as: 'newcomer', path: at('/agents') },
  {
    name: 'agents-one',
    route: '/agents',
    as: 'single',
    path: at('/agents'),
    // The last use of a key is stored within seconds.
    open: (page) => expect(page.getByRole('main').locator('time')).toBeAttached(),
  },
  { name: 'agents-many', route: '/agents', as: 'many', path: at('/agents') },
  { name: 'agents-long', route: '/agents', as: 'long', path: at('/agents') },
  { name: 'agents-no-match', route: '/agents', as: 'ada', path: at('/agents?search=zzz&state=DRAFT') },
  { name: 'agents-chosen', route: '/agents', as: 'ada', path: at('/agents'), open: choose },
  {
    name: 'agents-delete',
    route: '/agents',
    as: 'ada',
    path: at('/agents'),
    open: async (page) => {
      await choose(page)
      await press('Delete')(page)
    },
  },
  {
    name: 'agents-offline',
    route: '/agents',
    as: 'ada',
    path: at('/agents'),
    open: async (page) => {
      await choose(page)
      await press('Take offline')(page)
    },
  },
  { name: 'agents-loading', route: '/agents', as: 'ada', path: at('/agents'), network: 'slow' },
  { name: 'agents-error', route: '/agents', as: 'ada', path: at('/agents'), network: 'down' },
  { name: 'agents-new', route: '/agents', as: 'ada', path: at('/agents'), open: press('New agent') },
  {
    name: 'agents-new-model',
    route: '/agents',
    as: 'ada',
    path: at('/agents'),
    open: async (page) => {
      await press('New agent')(page)
      await page.getByRole('combobox', { name: 'Model' }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
    },
  },

  // One agent.
  { name: 'agent', route: '/agents/$id', as: 'ada', path: agent() },
  { name: 'agent-next', route: '/agents/$id', as: 'starter', path: ({ uncalled }) => `/agents/${uncalled}` },
  { name: 'agent-draft', route: '/agents/$id', as: 'ada', path: ({ draft }) => `/agents/${draft}` },
  { name: 'agent-bare', route: '/agents/$id', as: 'ada', path: ({ bare }) => `/agents/${bare}` },
  { name: 'agent-long', route: '/agents/$id', as: 'long', path: agent() },
  { name: 'agent-loading', route: '/agents/$id', as: 'ada', path: agent(), network: 'slow' },
  { name: 'agent-gone', route: '/agents/$id', as: 'ada', path: at(`/agents/${unknownId}`) },
  { name: 'agent-node', route: '/agents/$id', as: 'ada', path: agent('?node=agent') },
  { name: 'agent-node-long', route: '/agents/$id', as: 'long', path: agent('?node=agent') },
  {
    name: 'agent-variables',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?node=agent'),
    open: async (page) => {
      await notSaved(page)
      await page.getByRole('textbox', { name: 'Instructions' }).press('End')
      await page.getByRole('textbox', { name: 'Instructions' }).pressSequentially(' Be {{tone}} about {{topic}}.')
      await page.locator('summary', { hasText: 'Variables' }).click()
      await page.getByRole('button', { name: 'Declare tone' }).click()
      await page.getByRole('button', { name: 'Add variable', exact: true }).click()
      await expect(page.getByRole('group', { name: 'Variable 2' })).toBeVisible()
    },
  },
  {
    name: 'agent-fallback',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await notSaved(page)
      await page.getByRole('heading', { name: 'Model', exact: true }).click()
      await page.getByRole('combobox', { name: 'Fallback model' }).click()
      await page.getByRole('option').last().click()
      await expect(page.getByRole('combobox', { name: 'Fallback model' })).not.toHaveValue('None')
    },
  },
  {
    name: 'agent-reply-format',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await notSaved(page)
      await page.getByRole('heading', { name: 'Reply format' }).click()
      await page.getByText('JSON', { exact: true }).click()
      await expect(page.getByLabel('Schema (JSON Schema)')).toBeVisible()
    },
  },
  {
    name: 'agent-actions',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await notSaved(page)
      await page.getByRole('heading', { name: 'Actions', exact: true }).click()
      await page.getByRole('button', { name: 'Add action' }).click()
      await page.keyboard.type('order_status')
      const fields = page.getByRole('group', { name: 'Action order_status' })
      await fields.getByLabel('What it does').fill('Looks up where an order is.')
      await fields.getByRole('button', { name: 'Add argument' }).click()
      await page.keyboard.type('order')
      await page.getByRole('button', { name: 'Add action' }).click()
      await page.getByRole('group', { name: 'Action 2' }).getByText('JSON Schema', { exact: true }).click()
      await expect(page.getByRole('textbox', { name: 'JSON Schema' })).toBeVisible()
    },
  },
  {
    name: 'agent-leave',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?node=agent'),
    open: async (page) => {
      await notSaved(page)
      await page.getByRole('textbox', { name: 'Instructions' }).press('End')
      await page.getByRole('textbox', { name: 'Instructions' }).pressSequentially(' And smile.')
      await page.getByRole('link', { name: 'Versions' }).click()
      await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    },
  },
  {
    name: 'agent-clash',
    route: '/agents/$id',
    as: 'ada',
    path: agent('?node=agent'),
    open: async (page) => {
      await changedElsewhere(page)
      const text = page.getByRole('textbox', { name: 'Instructions' })
      await text.press('Control+Home')
      await text.pressSequentially('Please be brief. ')
      await expect(page.getByRole('dialog', { name: /was changed elsewhere/ })).toBeVisible()
    },
  },
  {
    name: 'agent-invalid',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await page.getByRole('heading', { name: 'Model' }).click()
      await page.getByText(/^Options/).click()
      await page.getByLabel('Temperature').fill('3')
      await page.keyboard.press('Control+s')
      await expect(page.getByText('Can’t save: fix the highlighted fields')).toBeVisible()
    },
  },
  { name: 'model-node', route: '/agents/$id', as: 'ada', path: agent('?node=model') },
  {
    name: 'agent-delete',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: (page) => fromMenu(page, 'Delete agent'),
  },
  {
    name: 'agent-delete-long',
    route: '/agents/$id',
    as: 'long',
    path: agent(),
    open: (page) => fromMenu(page, 'Delete agent'),
  },
  {
    name: 'agent-offline',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: (page) => fromMenu(page, 'Take offline'),
  },
  {
    name: 'agent-discard',
    route: '/agents/$id',
    as: 'ada',
    path: agent(),
    open: async (page) => {
      await fromMenu(page, 'Discard changes')
      await expect(page.getByRole('dialog').getByText('4 lines added')).toBeVisible()
    },
  },
  { name: 'publish', route: '/agents/$id', as: 'ada', path: agent(), open: publishing },
  {
    name: 'publish-first',
    route: '/agents/$id',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}`,
    open: publishing,
  },
  { name: 'publish-long', route: '/agents/$id', as: 'long', path: agent(), open: publishing },

  // Versions.
  { name: 'versions', route: '/agents/$id/versions', as: 'ada', path: agent('/versions?open=2') },
  { name: 'versions-draft', route: '/agents/$id/versions', as: 'ada', path: agent('/versions?open=3&against=draft') },
  { name: 'versions-first', route: '/agents/$id/versions', as: 'ada', path: agent('/versions?open=1') },
  { name: 'versions-long', route: '/agents/$id/versions', as: 'long', path: agent('/versions?open=2') },
  {
    name: 'versions-empty',
    route: '/agents/$id/versions',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/versions`,
  },
  {
    name: 'versions-restore',
    route: '/agents/$id/versions',
    as: 'ada',
    path: agent('/versions'),
    open: async (page) => {
      await press('Actions for version 1', 'menu')(page)
      await page.getByRole('menuitem', { name: 'Restore to draft' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'versions-compared',
    route: '/agents/$id/versions',
    as: 'ada',
    path: agent('/versions?open=3&against=1'),
  },
]
