import { agent, press, type State, submit } from '../state'

const route = '/agents/$id/tests'

export const tests: State[] = [
  { name: 'tests-empty', route, as: 'ada', path: agent('/tests') },
  { name: 'tests-new', route, as: 'ada', path: agent('/tests?case=new') },
  {
    name: 'tests-new-errors',
    route,
    as: 'ada',
    path: agent('/tests?case=new'),
    open: submit('Save case'),
  },
  { name: 'tests-settings', route, as: 'ada', path: agent('/tests'), open: press('Test settings') },
]
