import { defineConfig } from '@playwright/test'
import { findChromium } from './e2e/support/chromium'

const { executablePath, env, args } = findChromium()

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'node_modules/.playwright',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine under other loads may be slow once; what fails twice is broken. The list names what needed a second try.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    launchOptions: { executablePath, env, args, chromiumSandbox: false },
  },
})
