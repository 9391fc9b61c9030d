import { locale } from './locale'

const units = ['byte', 'kilobyte', 'megabyte'] as const

/** A size: "812 bytes", "6.4 MB". The units are those of 1,024, as the service counts. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_024 ? 0 : bytes < 1_024 ** 2 ? 1 : 2
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_024 ** power)
}
