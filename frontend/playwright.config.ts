import { defineConfig } from '@playwright/test'
import { findChromium } from './e2e/support/chromium'

const browser = findChromium()

// `npm run e2e` runs the journeys: one test for each task that users do in the panel. `npm run e2e:long` runs the tests
// with the tag @long: those that take minutes, and those whose rules unit tests check too.
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'node_modules/.playwright',
  fullyParallel: true,
  workers: 4, // tests wait more than they compute: four keep two cores busy
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    // Otherwise a click on a disabled button waits until the test times out.
    actionTimeout: 60_000,
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { ...browser, chromiumSandbox: false },
  },
})
