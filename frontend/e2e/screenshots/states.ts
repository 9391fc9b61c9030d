import { readFileSync } from 'node:fs'
import { at, type State } from './state'
import { actions } from './states/actions'
import { agents } from './states/agents'
import { conversations } from './states/conversations'
import { entry } from './states/entry'
import { exports } from './states/exports'
import { knowledge } from './states/knowledge'
import { members } from './states/members'
import { people } from './states/people'
import { playground } from './states/playground'
import { secondFactor } from './states/secondFactor'
import { settings } from './states/settings'
import { tests } from './states/tests'
import { usage } from './states/usage'
import { webhooks } from './states/webhooks'

const listed: State[] = [
  ...entry,
  ...agents,
  ...playground,
  ...conversations,
  ...actions,
  ...knowledge,
  ...people,
  ...exports,
  ...tests,
  ...usage,
  ...settings,
  ...members,
  ...secondFactor,
  ...webhooks,
]

const tree = readFileSync(new URL('../../src/routeTree.gen.ts', import.meta.url), 'utf8')
const [, byTo = ''] = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree) ?? []

/** Every route of the panel. */
export const routes = [...byTo.matchAll(/^ {2}'(.+?)':/gm)].map(([, route]) => route ?? '')

/** A route without parameters that has no state above is looked at as it opens. */
const others = routes.filter((route) => !route.includes('$') && listed.every((state) => state.route !== route))

export const states: State[] = [
  ...listed,
  ...others.map((route): State => ({ name: route.slice(1), route, as: 'ada', path: at(route) })),
]

/** The states by route, at most so many together, so that every worker has something to do until the end. */
export function parts(most: number, ofRoute = (all: State[]) => all) {
  return routes.flatMap((route) => {
    const all = ofRoute(states.filter((state) => state.route === route))
    const count = Math.ceil(all.length / most)
    return Array.from({ length: count }, (_, at) => ({
      title: count > 1 ? `${route}, ${at + 1} of ${count},` : route,
      part: all.slice(at * most, (at + 1) * most),
    }))
  })
}
