import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { AgentValues } from '../agentValues'
import type { Agent } from '../queries'

export type SectionProps = { agent: Agent; form: UseFormReturnType<AgentValues> }

/** A part of Build. */
export type BuildSection = {
  id: 'instructions' | 'model' | 'variables' | 'knowledge' | 'actions' | 'replyFormat' | 'name'
  /** Its fields of the form, for their errors and for what was changed. */
  fields: (keyof AgentValues)[]
  /** Whether nothing is set: a viewer finds it closed. */
  isEmpty?: (values: AgentValues) => boolean
  /** What is set, in one line. */
  State: (props: SectionProps) => ReactNode
  /** What needs attention, though it is valid; undefined without. */
  useProblem?: (props: SectionProps) => string | undefined
  /** Whether callers get something else, beyond what the fields tell. */
  useChanged?: (props: SectionProps) => boolean
  Editor: (props: SectionProps & { open: boolean }) => ReactNode
}
