import { actionsSection } from './actionsSection'
import type { BuildSection } from './buildSection'
import { instructionsSection } from './instructionsSection'
import { knowledgeSection } from './knowledgeSection'
import { modelSection } from './modelSection'
import { nameSection } from './nameSection'
import { replyFormatSection } from './replyFormatSection'
import { variablesSection } from './variablesSection'

/** The parts of Build in their order; each has its own file. */
export const sections: BuildSection[] = [
  instructionsSection,
  modelSection,
  knowledgeSection,
  variablesSection,
  actionsSection,
  replyFormatSection,
  nameSection,
]
