/**
 * The reader's own language and region, as the browser has them: numbers, dates and times are written in it, whatever the language of
 * the texts.
 */
export function locale(): string {
  try {
    Intl.getCanonicalLocales(navigator.language)
    return navigator.language
  } catch {
    return 'en' // Some systems give the browser a name that is no language, such as en-US@posix.
  }
}

/** The digits that the reader's numbers are written in: "latn", "arab". */
export const digits = () => new Intl.NumberFormat(locale()).resolvedOptions().numberingSystem

/** Whether the reader counts the hours of a day to 23, not to 12 twice. */
export const isOf24Hours = () =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric' }).resolvedOptions().hourCycle?.startsWith('h2') ?? false

/** Compares names in the order of the reader's language, with numbers by their size. */
export const compareNames = () => new Intl.Collator(locale(), { numeric: true }).compare
