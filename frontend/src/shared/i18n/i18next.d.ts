import 'i18next'
import type { Namespaces } from '@/locales/en/namespaces.gen'

// The keys of every namespace, so that a missing string does not compile.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    enableSelector: false
    resources: Namespaces
  }
}
