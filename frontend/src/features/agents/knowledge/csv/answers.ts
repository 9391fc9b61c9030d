import { hasCode } from '@/shared/gql'
import { linesOf } from '../lines'
import { decodeCsv, parseCsv } from './parseCsv'

/** An answer of a CSV file, with the number of its row as a spreadsheet counts. */
export type Answer = {
  row: number
  questions: string[]
  answer: string
  /** Why it cannot be added. */
  problem?: 'unclosed' | 'columns' | 'noQuestion' | 'noAnswer'
}

/** The answers of a CSV file of questions and answers. `header` is whether the first row seems to name the columns. */
export function answersIn(bytes: Uint8Array): { header: boolean; answers: Answer[] } {
  const { rows, unclosed } = parseCsv(decodeCsv(bytes))
  const answers = rows.flatMap((cells, at) => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const broken = unclosed && at === rows.length - 1
    return [{ row: at + 1, ...answerOf(cells), ...(broken && { problem: 'unclosed' as const }) }]
  })
  const [first] = answers
  const header = first !== undefined && /^questions?$/i.test(first.questions.join()) && /^answers?$/i.test(first.answer)
  return { header, answers }
}

function answerOf([questions = '', answer = '', ...more]: string[]): Omit<Answer, 'row'> {
  const read = { questions: linesOf(questions), answer: answer.trim() }
  if (more.some((cell) => cell.trim() !== '')) return { ...read, problem: 'columns' }
  if (read.questions.length === 0) return { ...read, problem: 'noQuestion' }
  return read.answer === '' ? { ...read, problem: 'noAnswer' } : read
}

export type Outcome = {
  added: number
  refused: { row: number; error: unknown }[]
  /** How many were not tried, since it was stopped or the service could not be asked. */
  left: number
  /** Why it ended early, if nobody stopped it. */
  error?: unknown
}

type Steps = { signal: AbortSignal; onProgress: (done: number) => void }

/** Adds answers, one after the other. What the service refuses is left out; any other failure would meet the rest, too, and ends it. */
export async function addAll(
  answers: readonly Answer[],
  add: (answer: Answer) => Promise<unknown>,
  { signal, onProgress }: Steps,
): Promise<Outcome> {
  const outcome: Outcome = { added: 0, refused: [], left: answers.length }
  for (const answer of answers) {
    if (signal.aborted) break
    try {
      await add(answer)
      outcome.added++
    } catch (error) {
      if (!hasCode(error, 'BAD_USER_INPUT', 'CONFLICT')) return { ...outcome, error }
      outcome.refused.push({ row: answer.row, error })
    }
    onProgress(answers.length - --outcome.left)
  }
  return outcome
}
