import { GraphQLEnumType } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '@/shared/testing/server'
import { ApiError, faultId, hasCode, isPassing, serverCodes } from './errors'

test('the codes are those of the schema', () => {
  const type = schema.getType('ErrorCode')
  if (!(type instanceof GraphQLEnumType)) throw new Error('ErrorCode is not an enum')
  expect([...serverCodes].sort()).toEqual(
    type
      .getValues()
      .map(({ name }) => name)
      .sort(),
  )
})

const make = (code: string) => new ApiError(code, '', { requestId: 'r' })

test('the request ID is shown only if the service or the connection is at fault', () => {
  const codes = [...serverCodes, 'NETWORK', 'TIMEOUT', 'BAD_ANSWER', 'NONE']
  const shown = ['UNAVAILABLE', 'INTERNAL', 'NETWORK', 'TIMEOUT', 'BAD_ANSWER']
  expect(codes.map((code) => faultId(make(code)))).toEqual(codes.map((code) => (shown.includes(code) ? 'r' : '')))
})

test('the same request may succeed later only after some errors', () => {
  for (const code of ['NETWORK', 'TIMEOUT', 'UNAVAILABLE', 'BAD_ANSWER']) expect(isPassing(make(code))).toBe(true)
  for (const code of ['BAD_USER_INPUT', 'INTERNAL', 'RATE_LIMITED', 'NOT_FOUND', 'UNAUTHENTICATED']) {
    expect(isPassing(make(code))).toBe(false)
  }
  expect(isPassing(new Error('not an ApiError'))).toBe(false)
  expect(hasCode(make('CONFLICT'), 'NOT_FOUND', 'CONFLICT')).toBe(true)
  expect(hasCode(make('CONFLICT'), 'NOT_FOUND')).toBe(false)
})
