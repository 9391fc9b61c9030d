import { Menu } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '@/shared/ui'

/** Copies a text from a menu, which stays open and says whether it worked. */
export function CopyItem({ value, label, icon = IconCopy }: { value: string; label?: string; icon?: typeof IconCopy }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState<boolean>()
  const Icon = copied ? IconCheck : icon
  return (
    <Menu.Item
      closeMenuOnClick={false}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={async () => setCopied(await copyText(value))}
    >
      {copied === undefined ? (label ?? t('copy.copy')) : t(copied ? 'copy.copied' : 'copy.failed')}
    </Menu.Item>
  )
}
