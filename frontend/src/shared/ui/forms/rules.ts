import * as z from 'zod/mini'
import { i18n } from '@/shared/i18n'

/** Whether a text is longer than the service allows. The service counts Unicode code points, not UTF-16 units. */
export const isTooLong = (text: string, most: number) => text.length > most && [...text].length > most

/** The form rule that a text has at most a number of characters. */
export const atMost = (count: number) =>
  z.refine<string>((text) => !isTooLong(text, count), { error: () => i18n.t('form.tooLong', { count }) })

/** The form rule that no name stands twice in a list; the later one is at fault. */
export const differentNames = (error: () => string) =>
  z.check<{ name: string }[]>(({ value, issues }) => {
    for (const [at, { name }] of value.entries()) {
      if (name === '' || value.findIndex((other) => other.name === name) === at) continue
      issues.push({ code: 'custom', input: name, path: [at, 'name'], message: error() })
    }
  })

/** The form rule that a field is not empty. */
export const required = () => z.minLength(1, { error: () => i18n.t('form.required'), abort: true })
