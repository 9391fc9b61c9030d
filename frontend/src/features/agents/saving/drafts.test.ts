import { expect, test } from 'vitest'
import { draftKey } from '@/shared/drafts'
import { keepAccount } from '@/shared/gql'
import { schema } from '../agentValues'
import { newVariable } from '../variableValues'
import { openDraft } from './drafts'

const now = {
  name: 'Shop',
  description: '',
  instructions: 'Be kind.',
  variables: [],
  model: 'acme/fast',
  fallbackModel: '',
  temperature: '',
  maxOutputTokens: '',
  contextTurns: 40,
  replySchema: '',
  actions: [],
}

/** Opens the form with what another build may have left. */
function open(values: object, base: object = now) {
  keepAccount('n', 'u1', 'OWNER')
  sessionStorage.setItem(draftKey('a1', 'agent'), JSON.stringify({ base: { values: base, updatedAt: 'then' }, values }))
  return openDraft('a1', 'agent', schema, { values: now, updatedAt: 'now' })
}

test('a form begins with what was typed, valid or not', () => {
  const typed = { ...now, name: '', temperature: 3, variables: [newVariable('plan')] }
  expect(open(typed)).toMatchObject({ restored: true, base: { values: now, updatedAt: 'then' }, values: typed })
})

test('fields of another type than the form’s are left out', () => {
  const { contextTurns: _, ...missing } = { ...now, instructions: 'Mine.', model: null, variables: [{ name: 1 }] }
  expect(open({ ...missing, other: 'x' }).values).toEqual({ ...now, instructions: 'Mine.' })
  expect(open({ ...now, instructions: 'Mine.', name: 'My shop' }, { ...now, name: 7 })).toMatchObject({
    base: { values: now },
    values: { ...now, instructions: 'Mine.' },
  })
  expect(open(['Mine.'])).toMatchObject({ restored: false, base: { updatedAt: 'now' }, values: now })
})
