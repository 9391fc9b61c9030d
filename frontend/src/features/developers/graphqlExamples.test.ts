import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '@/shared/testing/server'
import { examples } from './graphqlExamples'

test.each(Object.entries(examples))('the example %s is valid in the schema', (_, text) => {
  expect(validate(schema, parse(text))).toEqual([])
})
