import 'i18next'
import type agents from '@/locales/en/agents.json'
import type apidocs from '@/locales/en/apidocs.json'
import type auth from '@/locales/en/auth.json'
import type common from '@/locales/en/common.json'
import type conversations from '@/locales/en/conversations.json'
import type credits from '@/locales/en/credits.json'
import type explorer from '@/locales/en/explorer.json'
import type exports from '@/locales/en/exports.json'
import type home from '@/locales/en/home.json'
import type playground from '@/locales/en/playground.json'
import type settings from '@/locales/en/settings.json'
import type shell from '@/locales/en/shell.json'

// The keys of every namespace, so that a missing string does not compile. A new file of src/locales/en is named here.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    enableSelector: false
    resources: {
      agents: typeof agents
      apidocs: typeof apidocs
      auth: typeof auth
      common: typeof common
      conversations: typeof conversations
      credits: typeof credits
      explorer: typeof explorer
      exports: typeof exports
      home: typeof home
      playground: typeof playground
      settings: typeof settings
      shell: typeof shell
    }
  }
}
