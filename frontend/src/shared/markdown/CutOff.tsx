import { Text, type TextProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const reasons = ['length', 'timeout', 'content_blocked'] as const

/** Why a reply is not complete; nothing for a complete one and for reasons that this panel does not know. */
export function CutOff({ finishReason, ...text }: TextProps & { finishReason: string | null | undefined }) {
  const { t } = useTranslation('texts')
  const reason = reasons.find((known) => known === finishReason)
  if (!reason) return null
  return (
    <Text mt={4} c="var(--warn)" {...text}>
      {t(`cutOff.${reason}`)}
    </Text>
  )
}
