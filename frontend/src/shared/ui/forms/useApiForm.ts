import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { $ZodType } from 'zod/v4/core'
import { ApiError, hasCode } from '@/shared/gql'

type Values = Record<string, unknown>

type Options<V extends Values> = {
  /** Tells forms of one page with fields of the same name apart. */
  name?: string
  initialValues: V
  /** Checks before submitting. */
  schema?: $ZodType<unknown, V>
  /** Sends the values. The errors of a BAD_USER_INPUT are shown at their fields, all others above the buttons. */
  submit: (values: V) => Promise<unknown>
  /** Maps input paths of the server to form fields where the names differ: `{ 'input.name': 'title' }`. */
  fieldOf?: Record<string, keyof V & string>
}

export type ApiForm<V extends Values> = {
  form: UseFormReturnType<V>
  /** For the form element. */
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  pending: boolean
  /** The error that belongs to no field, for FormError. */
  error: unknown
  clearError: () => void
}

/** A form that submits a request. On an error it keeps the input and focuses the first invalid field. */
export function useApiForm<V extends Values>({
  name,
  initialValues,
  schema,
  submit,
  fieldOf = {},
}: Options<V>): ApiForm<V> {
  const form = useForm<V>({
    name,
    initialValues,
    validate: schema ? schemaResolver(schema, { sync: true }) : undefined,
  })

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: submit,
    onError: (thrown) => {
      const { atFields } = sort(thrown, initialValues, fieldOf)
      form.setErrors(atFields)
      focusFirst(form, atFields)
    },
  })
  return {
    form,
    onSubmit: form.onSubmit(
      (values) => {
        if (!isPending) mutate(values)
      },
      (errors) => focusFirst(form, errors),
    ),
    pending: isPending,
    error: error ? sort(error, initialValues, fieldOf).rest : undefined,
    clearError: reset,
  }
}

/** Splits an error into messages for the form's fields and the rest. */
function sort<V extends Values>(thrown: unknown, values: V, fieldOf: Record<string, string>) {
  const atFields: Record<string, string> = {}
  if (!hasCode(thrown, 'BAD_USER_INPUT')) return { atFields, rest: thrown }
  const others = thrown.fields.filter(({ path, message }) => {
    const field = fieldOf[path] ?? path
    if (!isField(field, values)) return true
    atFields[field] ??= message
    return false
  })
  if (others.length === 0 && thrown.fields.length > 0) return { atFields, rest: undefined }
  const message = others[0]?.message ?? thrown.message
  const rest = new ApiError(thrown.code, message, { requestId: thrown.requestId, fields: others, cause: thrown })
  return { atFields, rest }
}

/** Whether a path is a field of the form, or one in a list: `steps.0.name`. */
function isField(path: string, values: Values) {
  const [root = '', ...rest] = path.split('.')
  return path in values || (Array.isArray(values[root]) && rest.length === 2)
}

function focusFirst<V extends Values>(form: UseFormReturnType<V>, errors: Record<string, unknown>) {
  const first = Object.keys(errors)[0]
  const node = first && form.getInputNode(first)
  if (!node) return
  const fold = node.closest('details')
  if (fold) fold.open = true
  node.focus()
}
