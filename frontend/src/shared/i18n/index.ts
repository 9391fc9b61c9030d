import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { bundled, loaders } from '@/locales/en'
import { isolate } from './isolate'

export { isolate }

/** All strings come from src/locales. English is the one language so far; another is one more folder and its loaders here. */
export const i18n = i18next.createInstance()

// A component that calls useTranslation('credits') waits, by Suspense, until that namespace is there.
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (_language, namespace, done) => {
    const load = loaders[`./${namespace}.json`]
    if (!load) return done(new Error(`There are no strings named ${namespace}`), false)
    load().then(
      (strings) => done(null, strings.default),
      (error) => done(error, true), // true: try again
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
    interpolation: { escape: isolate }, // React escapes markup; what is left to do is to keep the order of the words
    returnNull: false,
    initAsync: false,
  })

/** Loads the strings of all pages, for those that are opened later. */
export const loadAllStrings = () =>
  i18n.loadNamespaces(Object.keys(loaders).map((path) => path.replace(/^\.\/|\.json$/g, '')))

/** The language of dates and numbers. */
export const locale = () => i18n.language
