// Written by npm run codegen.
import type actions from './actions.json'
import type activity from './activity.json'
import type agents from './agents.json'
import type apidocs from './apidocs.json'
import type audit from './audit.json'
import type auth from './auth.json'
import type calling from './calling.json'
import type choices from './choices.json'
import type common from './common.json'
import type conversations from './conversations.json'
import type credits from './credits.json'
import type developers from './developers.json'
import type explorer from './explorer.json'
import type exports from './exports.json'
import type home from './home.json'
import type keys from './keys.json'
import type knowledge from './knowledge.json'
import type lists from './lists.json'
import type members from './members.json'
import type palette from './palette.json'
import type people from './people.json'
import type playground from './playground.json'
import type requests from './requests.json'
import type results from './results.json'
import type secondFactor from './secondFactor.json'
import type settings from './settings.json'
import type shell from './shell.json'
import type tests from './tests.json'
import type texts from './texts.json'
import type usage from './usage.json'
import type variables from './variables.json'
import type versions from './versions.json'
import type webhooks from './webhooks.json'

export type Namespaces = {
  actions: typeof actions
  activity: typeof activity
  agents: typeof agents
  apidocs: typeof apidocs
  audit: typeof audit
  auth: typeof auth
  calling: typeof calling
  choices: typeof choices
  common: typeof common
  conversations: typeof conversations
  credits: typeof credits
  developers: typeof developers
  explorer: typeof explorer
  exports: typeof exports
  home: typeof home
  keys: typeof keys
  knowledge: typeof knowledge
  lists: typeof lists
  members: typeof members
  palette: typeof palette
  people: typeof people
  playground: typeof playground
  requests: typeof requests
  results: typeof results
  secondFactor: typeof secondFactor
  settings: typeof settings
  shell: typeof shell
  tests: typeof tests
  texts: typeof texts
  usage: typeof usage
  variables: typeof variables
  versions: typeof versions
  webhooks: typeof webhooks
}
