import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The encodings of the WHATWG Encoding Standard, then the DOS code pages, by the names that the service returns. */
const encodings = (
  'utf-8 utf-16le utf-16be big5 euc-jp euc-kr gb18030 gbk ibm866 iso-2022-jp iso-8859-2 iso-8859-3 iso-8859-4 ' +
  'iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 ' +
  'iso-8859-16 koi8-r koi8-u macintosh shift_jis windows-874 windows-1250 windows-1251 windows-1252 windows-1253 ' +
  'windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic ibm437 ibm850 ibm852 ibm855 ' +
  'ibm00858 ibm860 ibm862 ibm863 ibm865'
).split(' ')

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
  const { t } = useTranslation('knowledge')
  const first = candidates.flatMap(({ encoding, sample }) =>
    encoding ? [{ value: encoding, label: [encoding, sample?.slice(0, maxSample)].filter(Boolean).join(' · ') }] : [],
  )
  const others = encodings.filter((name) => !first.some((one) => one.value === name))
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
