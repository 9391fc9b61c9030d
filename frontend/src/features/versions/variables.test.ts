import { expect, test } from 'vitest'
import { namesIn } from './variables'

test.each([
  ['Order {{order_id}} of {{Shop2}}, again {{order_id}}', ['order_id', 'Shop2']],
  ['{{{inner}}} {{_a}}{{b}}', ['inner', '_a', 'b']],
  ['{{ spaced }} {{2nd}} {{a-b}} {{}} {{a\n}} {a}', []],
  [`{{${'a'.repeat(64)}}} {{${'b'.repeat(65)}}}`, ['a'.repeat(64)]],
])('the names in “%s”', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})
