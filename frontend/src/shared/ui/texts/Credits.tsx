import { Text, type TextProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatSigned } from '@/shared/format'

/** An amount of credits: "1,234 credits". `signed` is for changes: "−5 credits"; `bare` omits the word, for columns. */
export function Credits({
  value,
  signed = false,
  bare = false,
  ...text
}: TextProps & { value: number; signed?: boolean; bare?: boolean }) {
  const { t } = useTranslation()
  const amount = signed ? formatSigned(value) : formatNumber(value)
  return (
    <Text span inherit className="panel-numbers" {...text}>
      {bare ? amount : t('credits', { count: value, amount })}
    </Text>
  )
}
