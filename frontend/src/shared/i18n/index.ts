import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import common from '@/locales/en/common.json'
import shell from '@/locales/en/shell.json'
import { formatNumber } from '@/shared/format'
import { isolate } from './isolate'

export { isolate }

/** All strings come from src/locales. So far there is only English. */
export const i18n = i18next.createInstance()

void i18n.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { common, shell } },
  ns: ['common', 'shell'],
  defaultNS: 'common',
  // React escapes markup; this keeps the order of the words, and writes numbers as the reader does.
  interpolation: {
    escape: (value: unknown) => (typeof value === 'number' ? formatNumber(value) : isolate(String(value))),
    useRawValueToEscape: true,
  },
  returnNull: false,
  initAsync: false,
})

/** Adds the strings of a namespace. The build does so along with each module that uses them: see scripts/strings.ts. */
export const addStrings = (namespace: string, strings: object) => void i18n.addResourceBundle('en', namespace, strings)
