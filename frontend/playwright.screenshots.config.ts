import { defineConfig } from '@playwright/test'
import tests from './playwright.config'

/** Takes pictures of the panel. Not part of the tests. */
export default defineConfig(tests, { testDir: 'e2e/screenshots', testMatch: ['take.ts', 'parts.ts'] })
