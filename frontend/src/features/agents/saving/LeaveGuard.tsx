import { useEffect, useState } from 'react'
import { guardLeaving } from '@/shared/navigation/leaving'
import { dropAllDrafts } from './drafts'
import { LeaveDialog } from './LeaveDialog'
import type { Saver } from './saver'

const patienceMs = 2_000

type Props = { agentId: string; saver: Pick<Saver<Record<string, unknown>>, 'isSaved' | 'flush' | 'hurry' | 'stop'> }

/** Saves before another page is opened, and asks if that fails or takes long. */
export function LeaveGuard({ agentId, saver }: Props) {
  const [answer, setAnswer] = useState<(leaves: boolean) => void>()
  useEffect(() => {
    const discard = () => {
      saver.stop()
      dropAllDrafts(agentId)
    }
    return guardLeaving({
      // A browser does not wait: it asks, too, in the second before a change is saved.
      isSaved: () => {
        saver.hurry()
        return saver.isSaved()
      },
      mayLeave: async ({ signal, discards }) => {
        if (saver.isSaved() || discards.has(discard)) return true
        const saving = saver.flush()
        const inTime = await Promise.race([
          saving,
          new Promise<false>((resolve) => setTimeout(resolve, patienceMs, false)),
        ])
        if (inTime || signal.aborted) return inTime
        const leaves = await new Promise<boolean>((resolve) => {
          setAnswer(() => resolve)
          void saving.then((saved) => saved && resolve(true))
        })
        setAnswer(undefined)
        if (leaves && !saver.isSaved()) discards.add(discard)
        return leaves
      },
    })
  }, [agentId, saver])
  return answer && <LeaveDialog onStay={() => answer(false)} onLeave={() => answer(true)} />
}
