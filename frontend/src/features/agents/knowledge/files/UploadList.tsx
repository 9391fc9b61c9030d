import { Button, Group, Progress, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatShare } from '@/shared/format'
import classes from './Files.module.css'
import type { Upload, Uploads } from './useUploads'

type Props = { uploads: Uploads; filesButton: RefObject<HTMLButtonElement | null> }

/** The files that are on their way, and those that were not added, with the reason. */
export function UploadList({ uploads: { uploads, drop, again }, filesButton }: Props) {
  const { t } = useTranslation('knowledge')
  const list = useRef<HTMLUListElement>(null)
  const focused = useRef(false)
  // The focus must not get lost with the last file: it goes to the one before, or to the button that adds files.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a file comes or goes
  useEffect(() => {
    if (!focused.current || document.activeElement !== document.body) return
    const next = Array.from(list.current?.querySelectorAll('button') ?? []).at(-1) ?? filesButton.current
    next?.focus()
  }, [uploads])
  if (uploads.length === 0) return null
  return (
    <ul
      ref={list}
      className={classes.uploads}
      aria-label={t('files.list')}
      onFocus={() => {
        focused.current = true
      }}
      onBlur={() => {
        focused.current = false
      }}
    >
      {uploads.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files may have the same name
        <li key={at}>
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <Text size="sm" fw={500} className="panel-user-text">
              {one.file.name}
            </Text>
            <Group gap="xs" wrap="nowrap" flex="none">
              {one.error !== undefined && one.passing && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('files.againOne', { name: one.file.name })}
                  onClick={() => again(one)}
                >
                  {t('files.again')}
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t(one.error === undefined ? 'files.cancelOne' : 'files.dismissOne', {
                  name: one.file.name,
                })}
                onClick={() => drop(one)}
              >
                {t(one.error === undefined ? 'files.cancel' : 'files.dismiss')}
              </Button>
            </Group>
          </Group>
          <Outcome {...one} />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ file, part, error }: Upload) {
  const { t } = useTranslation('knowledge')
  if (error !== undefined)
    return (
      <Text size="sm" c="var(--bad)" role="alert">
        {error}
      </Text>
    )
  if (part === undefined)
    return (
      <Text size="xs" c="dimmed">
        {t('files.waits')}
      </Text>
    )
  return (
    <>
      <Progress size={4} my={4} value={part * 100} aria-label={t('files.progress', { name: file.name })} />
      <Text size="xs" c="dimmed" className="panel-numbers">
        {t('files.sent', { part: formatShare(part), size: formatBytes(file.size) })}
      </Text>
    </>
  )
}
