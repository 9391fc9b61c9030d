import { afterEach, expect, test, vi } from 'vitest'
import { dayOf, dayPattern, timeOf, typedDay, typedTime } from '.'

afterEach(() => vi.restoreAllMocks())
const inLocale = (name: string) => vi.spyOn(navigator, 'language', 'get').mockReturnValue(name)

test.each([
  ['en-US', '02/01/2026', '9:05 AM', '11:05 PM'],
  ['en-GB', '01/02/2026', '09:05', '23:05'],
  ['de', '01.02.2026', '09:05', '23:05'],
  ['cs', '01. 02. 2026', '09:05', '23:05'],
  ['ko', '2026. 02. 01.', 'AM 9:05', 'PM 11:05'],
])('in %s a day is typed as %s, and a time as %s', (name, day, morning, evening) => {
  inLocale(name)
  expect(typedDay('2026-02-01').replace(/\s/g, ' ')).toBe(day)
  expect(dayOf(day)).toBe('2026-02-01')
  expect(dayPattern().replace(/\s/g, ' ')).toBe(day.replace('2026', 'yyyy').replace('02', 'mm').replace('01', 'dd'))
  expect(dayOf('2026-2-1')).toBe('2026-02-01')
  expect([typedTime('09:05'), typedTime('23:05')].map((time) => time.replace(/\s/g, ' '))).toEqual([morning, evening])
  expect([timeOf(morning), timeOf(evening), timeOf('23.05'), timeOf('12:05 am')]).toEqual([
    '09:05',
    '23:05',
    '23:05',
    '00:05',
  ])
})

test.each(['', '31/02/2026', '1/2/26', '1/2', 'soon', '2026-13-01'])('%j is no day', (text) => {
  inLocale('en-GB')
  expect(dayOf(text)).toBeUndefined()
})

test.each(['', '24:00', '9:60', '13:00 pm', '9', 'noon'])('%j is no time', (text) => {
  expect(timeOf(text)).toBeUndefined()
})
