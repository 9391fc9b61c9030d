import type { Page } from '@playwright/test'
import { createDialog } from '../../support/channels'
import { fromMenu } from '../../support/menu'
import { proofTooOld } from '../../support/proof'
import { expect } from '../../support/test'
import { agent, answered, at, press, type State } from '../state'
import { unknownId } from '../world'

const chooseAll = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await expect(page.getByRole('region', { name: 'Selected rows' })).toBeVisible()
}

/** Opens the samples for other clients, and one of the clients. */
const otherClients = (client: string) => async (page: Page) => {
  await page.getByText('Other clients', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Client' }).click()
  await page.getByRole('option', { name: client }).click()
  await expect(page.getByRole('region', { name: `Settings for ${client}` })).toBeVisible()
}

const create = (page: Page) => createDialog(page).getByRole('button', { name: 'Create API Export' }).click()

/** The exports of the account, and one export. */
export const exports: State[] = [
  // Exports.
  { name: 'channels', route: '/agents/$id/channels', as: 'ada', path: agent('/channels') },
  {
    name: 'channels-draft',
    route: '/agents/$id/channels',
    as: 'ada',
    path: ({ draft }) => `/agents/${draft}/channels`,
  },
  { name: 'channels-long', route: '/agents/$id/channels', as: 'long', path: agent('/channels') },
  { name: 'channels-many', route: '/agents/$id/channels', as: 'many', path: agent('/channels') },
  {
    name: 'channels-clients',
    route: '/agents/$id/channels',
    as: 'ada',
    path: agent('/channels'),
    open: otherClients('OpenAI Python'),
  },
  {
    name: 'channels-clients-open',
    route: '/agents/$id/channels',
    as: 'acting',
    path: agent('/channels'),
    open: async (page) => {
      await otherClients('Claude Code')(page)
      await page.getByRole('combobox', { name: 'Client' }).click()
    },
  },
  {
    name: 'channels-clients-none',
    route: '/agents/$id/channels',
    as: 'ada',
    path: agent('/channels'),
    open: async (page) => {
      const serviceInfo = { supportContact: 'help@example.com', bridgeUrl: null }
      await answered(page, 'ServiceInfo', { data: { serviceInfo } })
      await page.getByText('Other clients', { exact: true }).click()
      await expect(page.getByText(/Other clients aren’t available/)).toBeVisible()
    },
  },
  {
    name: 'channels-confirm',
    route: '/agents/$id/channels',
    as: 'single',
    path: agent('/channels'),
    open: async (page) => {
      await proofTooOld(page, 'createApiExport')
      await press('Create API Export')(page)
      await create(page)
      await expect(page.getByRole('dialog', { name: 'Confirm your password' })).toBeVisible()
    },
  },
  {
    name: 'channels-key',
    route: '/agents/$id/channels',
    as: 'single',
    path: agent('/channels'),
    open: async (page) => {
      await press('Create API Export')(page)
      await create(page)
      await expect(page.getByTestId('api-key')).toBeVisible()
    },
  },
  {
    name: 'channels-key-asking',
    route: '/agents/$id/channels',
    as: 'single',
    path: agent('/channels'),
    open: async (page) => {
      await press('Create API Export')(page)
      await create(page)
      await expect(page.getByTestId('api-key')).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Versions' }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  { name: 'exports-create', route: '/exports', as: 'ada', path: at('/exports'), open: press('Create API Export') },
  { name: 'exports', route: '/exports', as: 'ada', path: at('/exports') },
  { name: 'exports-empty', route: '/exports', as: 'newcomer', path: at('/exports') },
  { name: 'exports-many', route: '/exports', as: 'many', path: at('/exports') },
  { name: 'exports-chosen', route: '/exports', as: 'ada', path: at('/exports'), open: chooseAll },
  {
    name: 'exports-pause',
    route: '/exports',
    as: 'ada',
    path: at('/exports'),
    open: async (page) => {
      await chooseAll(page)
      await press('Pause')(page)
    },
  },
  {
    name: 'exports-limit',
    route: '/exports',
    as: 'ada',
    path: at('/exports'),
    open: async (page) => {
      await chooseAll(page)
      await press('Set a limit')(page)
      await page.getByRole('textbox', { name: 'Credits per day (UTC)' }).fill('15')
      await expect(page.getByText(/already used this much/)).toBeVisible()
    },
  },
  {
    name: 'exports-resume',
    route: '/exports',
    as: 'ada',
    path: at('/exports'),
    open: async (page) => {
      await chooseAll(page)
      await press('Resume')(page)
    },
  },
  {
    name: 'exports-expiry',
    route: '/exports',
    as: 'ada',
    path: at('/exports'),
    open: async (page) => {
      await chooseAll(page)
      await press('Set expiry')(page)
      await page.getByLabel('Expires', { exact: true }).fill('2020-01-02')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Change/ })
        .click()
      await expect(page.getByText('Choose a future time, or leave it empty.')).toBeVisible()
    },
  },
  { name: 'exports-long', route: '/exports', as: 'long', path: at('/exports') },
  { name: 'exports-removed', route: '/exports', as: 'ada', path: at('/exports?state=REMOVED') },
  { name: 'exports-none-removed', route: '/exports', as: 'newcomer', path: at('/exports?state=REMOVED') },

  // One export.
  { name: 'export', route: '/exports/$id', as: 'ada', path: ({ export: id }) => `/exports/${id}` },
  {
    name: 'export-clients',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await page.getByText('Call this agent', { exact: true }).click()
      await otherClients('LibreChat')(page)
    },
  },
  { name: 'export-two-keys', route: '/exports/$id', as: 'ada', path: ({ twoKeys }) => `/exports/${twoKeys}` },
  { name: 'export-paused', route: '/exports/$id', as: 'ada', path: ({ paused }) => `/exports/${paused}` },
  {
    name: 'export-expired',
    route: '/exports/$id',
    as: 'ada',
    path: ({ expired }) => `/exports/${expired}`,
    open: (page) => expect(page.getByText('Expired').first()).toBeVisible(),
  },
  { name: 'export-removed', route: '/exports/$id', as: 'ada', path: ({ removed }) => `/exports/${removed}` },
  { name: 'export-long', route: '/exports/$id', as: 'long', path: ({ export: id }) => `/exports/${id}` },
  { name: 'export-gone', route: '/exports/$id', as: 'ada', path: at(`/exports/${unknownId}`) },
  { name: 'export-loading', route: '/exports/$id', as: 'ada', path: at(`/exports/${unknownId}`), network: 'slow' },
  {
    name: 'export-edit',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await page.getByRole('button', { name: /^Edit “/ }).click()
      await expect(page.getByRole('dialog', { name: /^Edit/ })).toBeVisible()
    },
  },
  {
    name: 'export-replace',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: press('Replace key'),
  },
  {
    name: 'export-replace-time',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await press('Replace key')(page)
      await page.getByRole('radio', { name: 'At a set time' }).click()
      await page.getByRole('button', { name: 'Create new key' }).click()
      await expect(page.getByText('Choose a time within the next 30 days.')).toBeVisible()
    },
  },
  {
    name: 'export-end-key',
    route: '/exports/$id',
    as: 'ada',
    path: ({ twoKeys }) => `/exports/${twoKeys}`,
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Revoke the (old|new) key$/ })
        .last()
        .click()
      await expect(page.getByRole('dialog', { name: /^Revoke the (old|new) key/ })).toBeVisible()
    },
  },
  {
    name: 'export-move',
    route: '/exports/$id',
    as: 'ada',
    path: ({ twoKeys }) => `/exports/${twoKeys}`,
    open: press(/^Change when/),
  },
  {
    name: 'export-remove',
    route: '/exports/$id',
    as: 'ada',
    path: ({ export: id }) => `/exports/${id}`,
    open: (page) => fromMenu(page, 'Remove'),
  },
  {
    name: 'export-key',
    route: '/exports/$id',
    as: 'single',
    path: ({ export: id }) => `/exports/${id}`,
    open: async (page) => {
      await press('Replace key')(page)
      await page.getByRole('radio', { name: 'Immediately' }).click()
      await page.getByRole('button', { name: 'Create new key' }).click()
      await expect(page.getByTestId('api-key')).toBeVisible()
    },
  },
]
