import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { bundled, loaders } from '@/locales/en'
import { formatNumber } from '@/shared/format'
import { isolate } from './isolate'

export { isolate }

/** All strings come from src/locales. So far there is only English; another language is another folder with its loaders. */
export const i18n = i18next.createInstance()

// A component that calls useTranslation('credits') suspends until that namespace is loaded.
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (_language, namespace, done) => {
    const load = loaders[`./${namespace}.json`]
    if (!load) return done(new Error(`There are no strings named ${namespace}`), false)
    load().then(
      (strings) => done(null, strings.default),
      (error) => done(error, true), // true: retry
    )
  },
}

void i18n
  .use(backend)
  .use(initReactI18next)
  .init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: bundled },
    partialBundledLanguages: true,
    ns: Object.keys(bundled),
    defaultNS: 'common',
    // React escapes markup; this keeps the order of the words, and writes numbers as the reader does.
    interpolation: {
      escape: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : isolate(String(value))),
      useRawValueToEscape: true,
    },
    returnNull: false,
    initAsync: false,
  })

/** Loads the strings of all pages in advance. */
export const loadAllStrings = () =>
  i18n.loadNamespaces(Object.keys(loaders).map((path) => path.replace(/^\.\/|\.json$/g, '')))
