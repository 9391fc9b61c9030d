import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { languageName } from '@/shared/format'

/** The encodings of the WHATWG Encoding Standard and the DOS code pages, by the names that the service returns and by script or language. */
const encodings: Record<string, string> = {
  '': 'utf-8 utf-16le utf-16be',
  Latn:
    'windows-1252 windows-1250 windows-1254 windows-1257 windows-1258 macintosh iso-8859-2 iso-8859-3 iso-8859-4 ' +
    'iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 ibm437 ibm850 ibm852 ibm00858 ibm860 ibm863 ibm865',
  Cyrl: 'windows-1251 koi8-r koi8-u x-mac-cyrillic iso-8859-5 ibm866 ibm855',
  el: 'windows-1253 iso-8859-7',
  he: 'windows-1255 iso-8859-8 iso-8859-8-i ibm862',
  ar: 'windows-1256 iso-8859-6',
  th: 'windows-874',
  zh: 'gb18030 gbk big5',
  ja: 'shift_jis euc-jp iso-2022-jp',
  ko: 'euc-kr',
}

/** The longest sample in an option, in characters. */
const maxSample = 80

export type Candidate = { encoding?: string | null; sample?: string | null }

type Props = {
  /** "Encoding" by default. */
  label?: string
  /** The name of an encoding, '' for none. */
  value: string
  onChange: (encoding: string) => void
  /** The text of the option '': "Detect automatically" by default. */
  none?: string
  /** The readings between which the service cannot decide, best first. */
  candidates?: readonly Candidate[]
  disabled?: boolean
}

/** Selects the encoding of a file. Candidates come first, with a sample of what they make of it. */
export function EncodingSelect({ label, value, onChange, none, candidates = [], disabled }: Props) {
  const { t, i18n } = useTranslation('knowledge')
  const first = candidates.flatMap(({ encoding, sample }) =>
    encoding ? [{ value: encoding, label: [encoding, sample?.slice(0, maxSample)].filter(Boolean).join(' · ') }] : [],
  )
  const others = Object.entries(encodings).flatMap<string | { group: string; items: string[] }>(([code, names]) => {
    const items = names.split(' ').filter((name) => !first.some((one) => one.value === name))
    return code === '' ? items : { group: languageName(code, i18n.language), items }
  })
  return (
    <NativeSelect
      label={label ?? t('encoding')}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: none ?? t('encodingAuto') }, ...first, ...others]}
    />
  )
}
