import { describe, expect, test } from 'vitest'
import { csvField, csvRecord } from './csv'

describe('a CSV field', () => {
  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=1', 'a=1'],
    ['', ''],
    [null, ''],
    [-5, '-5'],
  ])('%j is %j', (value, field) => expect(csvField(value)).toBe(field))
})

test('a record ends as RFC 4180 has it', () => {
  expect(csvRecord(['a', 1, null, 'b,c'])).toBe('a,1,,"b,c"\r\n')
})
