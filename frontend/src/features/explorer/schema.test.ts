import { printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { schema as whole } from '@/shared/testing/server'
import { schema } from './schema'

test('the explorer has the whole schema of the service, with its descriptions', () => {
  expect(printSchema(schema)).toBe(printSchema(whole))
  expect(schema.getMutationType()?.getFields().createAgent?.description).toBeTruthy()
})
