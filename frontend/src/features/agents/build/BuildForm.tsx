import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { MayChange, useMay } from '@/features/auth'
import { liveContentQuery } from '@/features/versions'
import { type AgentValues, inputOf, schema, settingValues, valuesOf } from '../agentValues'
import type { Agent } from '../queries'
import { SaveProblems } from '../saving/SaveProblems'
import { useAgentEdit } from '../saving/useAgentEdit'
import { sectionId, showNode } from '../showNode'
import classes from './BuildForm.module.css'
import type { BuildSection, SectionProps } from './buildSection'
import { useOpenSections } from './openSections'
import { Section } from './Section'
import { sections } from './sections'

/** The form of an agent's draft, part by part. It saves by itself. */
export function BuildForm({ agent }: { agent: Agent }) {
  const { node } = useSearch({ strict: false })
  const edit = useAgentEdit({ agent, form: 'agent', valuesOf, inputOf, schema })
  const { open, toggle } = useOpenSections()
  const live = useLive(agent)
  const saved = edit.base.read
  const may = useMay('EDITOR')
  useEffect(() => {
    if (node) showNode(node)
  }, [node])
  return (
    <form onSubmit={edit.onSubmit} onBlur={edit.onBlur} noValidate className={classes.form}>
      {sections.map((section) => (
        <Part
          key={section.id}
          section={section}
          agent={agent}
          form={edit.form}
          changed={section.fields.some((field) => live && field in live && !same(field, live[field], saved[field]))}
          open={open.includes(section.id) && (may || !section.isEmpty?.(saved))}
          onToggle={(opened) => toggle(section.id, opened)}
        />
      ))}
      <div className={classes.foot}>
        <SaveProblems edit={edit} />
      </div>
    </form>
  )
}

type PartProps = SectionProps & {
  section: BuildSection
  changed: boolean
  open: boolean
  onToggle: (open: boolean) => void
}

const noProblem = () => undefined
const notChanged = () => false

function Part({ section, changed, open, onToggle, ...props }: PartProps) {
  const { t } = useTranslation('agents')
  const { id, fields, State, useProblem = noProblem, useChanged = notChanged, Editor } = section
  const may = useMay('EDITOR')
  const problem = useProblem(props)
  const otherwise = useChanged(props)
  const errors = Object.entries(props.form.errors)
  const error = errors.find(([path]) => fields.some((field) => path === field || path.startsWith(`${field}.`)))?.[1]
  return (
    <Section
      id={sectionId(id)}
      title={t(`section.${id}`)}
      state={<State {...props} />}
      problem={may && problem}
      error={error}
      changed={changed || otherwise}
      open={open}
      onToggle={onToggle}
    >
      {id === 'knowledge' ? (
        <Editor {...props} open={open} />
      ) : (
        <MayChange least="EDITOR">
          <Editor {...props} open={open} />
        </MayChange>
      )}
    </Section>
  )
}

/** The values of the published version; undefined until they are loaded. */
function useLive({ id, publishedVersion }: Agent): Partial<AgentValues> | undefined {
  const number = publishedVersion?.number
  const version = useQuery({ ...liveContentQuery(id, number), enabled: number !== undefined }).data
  return version && version.number === number ? settingValues(version) : undefined
}

const same = (field: string, a: unknown, b: unknown) =>
  JSON.stringify(inputOf({ [field]: a })) === JSON.stringify(inputOf({ [field]: b }))
