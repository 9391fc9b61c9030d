import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath, URL } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { chunks, firstPages } from './scripts/chunks.ts'
import { inlineDocuments } from './scripts/documents.ts'
import { strings } from './scripts/strings.ts'
import { yaml } from './scripts/yaml.ts'

// Where `npm run dev` finds the running service.
const service = process.env.PANEL_SERVICE_URL ?? 'http://127.0.0.1:8080'

// The service rejects cross-site requests by comparing Origin and Host, so the proxy keeps the Host.
const passOn = { target: service, changeOrigin: false }

export default defineConfig({
  plugins: [
    inlineDocuments(),
    strings(),
    yaml(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: { defaultBehavior: [['component']] }, // not error states: they say that files are missing
      quoteStyle: 'single',
      semicolons: false,
      routeFileIgnorePattern: '\\.test\\.',
    }),
    react(),
    themeScript(),
    lateStyles(),
  ],
  resolve: {
    alias: {
      '@rest': fileURLToPath(new URL('../rest', import.meta.url)),
      '@examples': fileURLToPath(new URL('../examples', import.meta.url)),
      '@': fileURLToPath(new URL('./src', import.meta.url)),
    },
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    emptyOutDir: false,
    chunkSizeWarningLimit: 600, // scripts/budget.mjs has the limits
    rolldownOptions: {
      input: { panel: 'index.html', explorer: 'explorer.html', ...firstPages },
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: {
    port: Number(process.env.PANEL_PORT ?? 5173),
    strictPort: true,
    fs: { allow: ['.', '../graph/schema', '../rest', '../examples'] }, // sources of the explorer, the API reference and the samples
    proxy: { '/graphql': passOn, '/v1': passOn, '/openapi.yaml': passOn, '/download': passOn },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/shared/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    env: { TZ: 'America/New_York' }, // other dates than UTC, and days of 23 and 25 hours
    // Files share the modules of their worker: loading these takes half of the time. Tests reset what they change.
    isolate: false,
    maxWorkers: 2, // the default is one less than the number of cores
    execArgv: ['--max-semi-space-size=64'], // collecting the garbage of rendered pages takes a tenth of the time otherwise
    testTimeout: 120_000, // no test takes a tenth of that on an idle machine
  },
})

// themeScript puts src/theme-init.js, a plain script, into the page's head before everything else: it sets the colour scheme
// before the first paint. A module would come too late, and the script policy allows no inline script.
function themeScript(): Plugin {
  const source = readFileSync(new URL('./src/theme-init.js', import.meta.url), 'utf8')
  const built = `assets/theme-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
  let address = '/src/theme-init.js'
  return {
    name: 'theme-script',
    configResolved(config) {
      if (config.command === 'build') address = `/${built}`
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: built, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: address }, injectTo: 'head-prepend' }],
  }
}

// lateStyles moves the style sheets behind the page's mark: in the head they would keep it from being shown. Those of parts that are loaded
// later must come after them, since a part overrides rules of the kit: Vite's helper adds them to the head.
function lateStyles(): Plugin {
  return {
    name: 'late-styles',
    apply: 'build',
    transform(code, id) {
      return id.includes('vite/preload-helper')
        ? code.replace('document.head.appendChild(', 'document.body.appendChild(')
        : null
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const links = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
        const rest = links.reduce((page, link) => page.replace(link, ''), html)
        return rest.replace('  </body>', `${links.join('')}  </body>`)
      },
    },
  }
}
