// Without a language, as the browser's own is set: whether a day has twice twelve hours is for the reader to say.

/** The local time of day to the second, in the reader's form. */
export function formatClock(time: string | number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(new Date(time))
}

/** The local day, in the reader's form. */
export function formatDay(time: string | number): string {
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(time))
}
