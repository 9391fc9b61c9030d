import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isPassing } from '@/shared/gql'
import type { UploadOptions } from '@/shared/gql/upload'
import { errorText, notifyError } from '@/shared/ui'
import { refreshKnowledge } from '../queries'
import { refusalOf } from './accepted'

export type Upload = {
  file: File
  control: AbortController
  /** How much of it has left, 0 to 1; undefined while others are sent. */
  part?: number
  /** Why it was not added. */
  error?: string
  /** Whether it may work the next time. */
  passing?: boolean
}

export type Uploads = ReturnType<typeof useUploads>

/**
 * Sends files, one after the other. `onSent` is told what came of each. They go on being sent when the reader leaves; what then fails is
 * said in a notice.
 */
export function useUploads<Result>(
  send: (file: File, options: UploadOptions) => Promise<Result>,
  onSent?: (result: Result) => void,
) {
  const { t } = useTranslation('knowledge')
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef(Promise.resolve())
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])

  const busy = uploads.some(({ error }) => error === undefined)
  useEffect(() => {
    if (!busy) return
    // Closing the tab would end them: the browser asks first.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])

  const change = ({ control }: Upload, changed: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.control === control ? { ...one, ...changed } : one)))
  const drop = ({ control }: Upload) => {
    control.abort()
    setUploads((all) => all.filter((one) => one.control !== control))
  }
  const run = async (one: Upload) => {
    const { signal } = one.control
    if (signal.aborted) return
    change(one, { part: 0 })
    try {
      const result = await send(one.file, { signal, onProgress: (part) => change(one, { part }) })
      if (!gone.current) onSent?.(result)
      await refreshKnowledge(queryClient)
      drop(one)
    } catch (thrown) {
      if (signal.aborted) return void refreshKnowledge(queryClient) // the service may have had it already
      const error = errorText(thrown)
      if (gone.current) return void notifyError(new Error(`${one.file.name}: ${error}`))
      change(one, { part: undefined, error, passing: isPassing(thrown) })
    }
  }
  const enqueue = (one: Upload) => {
    queue.current = queue.current.then(() => run(one))
  }
  const add = (files: readonly File[]) => {
    const added = files.map((file) => ({ file, control: new AbortController(), error: refusalOf(t, file) }))
    setUploads((all) => [...all, ...added])
    for (const one of added) if (one.error === undefined) enqueue(one)
  }
  const again = (one: Upload) => {
    change(one, { error: undefined })
    enqueue(one)
  }
  return { uploads, add, drop, again }
}
