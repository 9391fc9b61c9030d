import type { TFunction } from 'i18next'

/** The endings of files that the service can read. */
const endings = [
  '.txt',
  '.text',
  '.log',
  '.md',
  '.markdown',
  '.html',
  '.htm',
  '.xhtml',
  '.csv',
  '.tsv',
  '.docx',
  '.pdf',
]

/** The same, as a file field takes them. */
export const accepted = endings.join(',')

/** Whether files of this name can have different encodings. */
export const hasEncoding = (name: string) => !/\.(docx|pdf)$/i.test(name)

/** In bytes. */
export const maxFile = 10 * 1_024 ** 2

/** Why a file need not be sent: the service would refuse it. */
export function refusalOf(t: TFunction<'knowledge'>, { name, size }: File): string | undefined {
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) return t('files.wrongKind')
  if (size === 0) return t('files.empty')
  return size > maxFile ? t('files.tooLarge') : undefined
}
