import { noKnowledge } from './knowledgeService'

/** The fields of an agent that is live, for services that answer other questions. */
export const agentFields = {
  description: '',
  instructions: 'Be kind.',
  temperature: null,
  maxOutputTokens: null,
  contextTurns: 40,
  replySchema: null,
  actions: [],
  variables: [],
  state: 'LIVE',
  missing: [],
  hasUnpublishedChanges: false,
  publishedVersion: { number: 1 },
  updatedAt: '2026-01-01T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
  model: null,
  fallbackModel: null,
  exports: [],
  ...noKnowledge,
}
