import { expect, test } from 'vitest'
import type { KnowledgeState } from '@/gql/graphql'
import { knowledgeChanges } from './knowledge'

const one = (id: string, name: string, inDraft = true, state: KnowledgeState = 'READY') => ({
  id,
  name,
  inDraft,
  state,
})
const terms = one('s1', 'Terms')

test('sources of two versions are compared by their ids', () => {
  const before = { knowledge: [terms, one('s2', 'Prices'), one('s3', 'Old')] }
  const after = { knowledge: [terms, one('s4', 'Prices'), one('s5', 'New')] }
  expect(knowledgeChanges(before, after)).toEqual([
    { kind: 'added', names: ['New'] },
    { kind: 'removed', names: ['Old'] },
    { kind: 'replaced', names: ['Prices'] },
  ])
  expect(knowledgeChanges(before, before)).toEqual([])
})

test('when only part of the draft is loaded, only those that left the draft count as removed', () => {
  const before = { knowledge: [terms, one('s2', 'Prices', false)] }
  const draft = { knowledge: { nodes: [one('s3', 'New'), one('s2', 'Prices', false)] } }
  expect(knowledgeChanges(before, draft)).toEqual([
    { kind: 'added', names: ['New'] },
    { kind: 'removed', names: ['Prices'] },
  ])
})

test('a file that has not been read changes nothing yet', () => {
  const draft = {
    knowledge: { nodes: [one('s3', 'Scan.pdf', true, 'FAILED'), one('s2', 'New.pdf', true, 'READING'), terms] },
  }
  expect(knowledgeChanges({ knowledge: [terms] }, draft)).toEqual([])
})
