import { eachMessage } from '@/features/conversations'
import { eachRequest } from '@/features/requests'
import { type Control, TextFile } from '@/shared/download'
import { gql } from '@/shared/gql'
import { personDocument, personVariables } from '../queries'

/** Everything about a person as lines of JSON, each with its type: what they may and use, their requests, and their messages. */
export async function personJsonl(userId: string, control: Control): Promise<Blob> {
  const file = new TextFile('application/jsonl')
  const add = (type: string, value: object) => file.add(`${JSON.stringify({ type, ...value })}\n`)
  const { viewer } = await gql(personDocument, personVariables(userId), { signal: control.signal })
  if (viewer.endUser) add('person', viewer.endUser)
  await eachRequest({ userId }, control, (request) => add('request', request))
  await eachMessage({ userId }, control, (message) => add('message', message))
  return file.blob()
}
