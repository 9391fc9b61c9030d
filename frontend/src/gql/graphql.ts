/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** An invitation to accept. */
export type AcceptInvitationInput = {
  /** The name of a new user, at most 100 characters. Omit it if signed in. */
  name?: string | null | undefined;
  /** The password of a new user: 8 to 256 characters, not easy to guess. Spaces and case count. Not given by a user who is signed in. */
  password?: string | null | undefined;
  /** The token of the link. */
  token: string;
};

/** The state of an action that a reply requested. */
export type ActionCallState =
  /** The caller sent its result, and the agent continued. */
  | 'ANSWERED'
  /** The caller sent a message instead. The model was informed that the action did not run. */
  | 'NOT_RUN'
  /** Results can still answer it: the reply that requested it is the newest. A message closes it. */
  | 'OPEN';

/** The outcome of an action: either a result or an error. */
export type ActionResultInput = {
  /** The error message, 1 to 2,000 characters. The model gets it. */
  error?: string | null | undefined;
  /** The id of the call. */
  id: string;
  /** The result: JSON text of any value, at most 16 KiB without white space. */
  result?: string | null | undefined;
};

/** The kind of an actor. */
export type ActorKind =
  /** An operator, at the command line or through the operator's API. */
  | 'OPERATOR'
  /** The service itself, for example when it creates the demo. */
  | 'SYSTEM'
  /** A token of the account. */
  | 'TOKEN'
  /** A user of the account, signed in. */
  | 'USER';

/** An answer for the draft's knowledge. */
export type AddKnowledgeAnswerInput = {
  /** The agent's id. */
  agentId: string | number;
  /** The answer. */
  answer: string;
  /** The questions, 1 to 20. */
  questions: Array<string>;
};

/** A file for the draft's knowledge. */
export type AddKnowledgeFileInput = {
  /** The agent's id. */
  agentId: string | number;
  /** The encoding of a text, web page or table, such as "windows-1252"; null to detect it. */
  encoding?: string | null | undefined;
  /** The file. */
  file: Blob;
  /** The name, at most 200 characters, with the extension, which determines the file type. The model and callers see it. */
  name: string;
};

/** A text for the draft's knowledge. */
export type AddKnowledgeTextInput = {
  /** The agent's id. */
  agentId: string | number;
  /** The name, at most 200 characters. The model and callers see it. */
  name: string;
  /** The text, at most 100,000 characters. Markdown headings become the headings of its passages. */
  text: string;
};

/** An action to declare. */
export type AgentActionInput = {
  /** Its purpose and when it helps, at most 1,000 characters. The model chooses actions by their descriptions. */
  description: string;
  /** A lowercase letter, then at most 47 lowercase letters, digits and underscores. Unique within the agent. */
  name: string;
  /** The JSON Schema of its arguments, which are an object; at most 16 KiB of JSON text. */
  parameters: string;
};

/** The format of an agent's file. */
export type AgentFileFormat =
  /** The format of Agent.fileHead. */
  | 'AGENT_CHAT'
  /** An app that Dify exported, in YAML. The graph of an app must be a straight line with one model call. */
  | 'DIFY'
  /** An assistant as OpenAI's Assistants API returned it. */
  | 'OPENAI_ASSISTANT'
  /** The body of a request to OpenAI's Responses API. Placeholders such as {{name}} become variables. */
  | 'OPENAI_PROMPT';

/** Selects agents; all given fields must match. */
export type AgentFilter = {
  /**
   * Part of the name, the description, the model's label or name, or the instructions. Case, Unicode normalization and the kind of white space
   * do not matter.
   */
  search?: string | null | undefined;
  /** The state. */
  state?: AgentState | null | undefined;
};

/** An order of agents. Agents without a value come last. Values may change between two pages, so an agent may come twice or not at all. */
export type AgentOrder = {
  /** The direction. */
  direction: OrderDirection;
  /** The field. */
  field: AgentOrderField;
};

/** A field by which agents are ordered. */
export type AgentOrderField =
  /** When it was created. */
  | 'CREATED'
  /** The credits charged in this month (UTC). */
  | 'CREDITS_MONTH'
  /** When one of its keys was last used. */
  | 'LAST_USED'
  /** The answered and failed messages of the last 24 hours, counted from a quarter of an hour. */
  | 'MESSAGES_24H'
  /** The name; case does not matter. */
  | 'NAME'
  /** The share of answered messages in the answered and failed ones of the last 24 hours. */
  | 'SUCCESS_24H';

/** A setting that an agent needs before it can be published. */
export type AgentRequirement =
  /** Instructions. */
  | 'INSTRUCTIONS'
  /** A model that is available. */
  | 'MODEL'
  /** A name. */
  | 'NAME';

/** Whether an agent answers callers. */
export type AgentState =
  /** Never published. */
  | 'DRAFT'
  /** Its exports answer, with the published version. */
  | 'LIVE'
  /** Taken offline: its exports answer agent_not_ready. */
  | 'OFFLINE';

/** A variable to declare. */
export type AgentVariableInput = {
  /** The default value, at most 4,000 characters; not for a required variable. */
  defaultValue?: string | null | undefined;
  /** At most 500 characters. */
  description?: string | null | undefined;
  /** The name: a letter or an underscore, then up to 63 letters, digits and underscores. */
  name: string;
  /** Whether a message without it is refused; false by default. */
  required?: boolean | null | undefined;
};

/** Selects entries of the audit trail that match all of its fields. */
export type AuditFilter = {
  /** The action: a mutation's name, signInFailed, or an operator's command. */
  action?: string | null | undefined;
  /** The id of the user or account token. */
  actorId?: string | number | null | undefined;
  /** Inclusive. */
  from?: string | null | undefined;
  /** Exclusive. */
  to?: string | null | undefined;
};

/** The end user to block. */
export type BlockEndUserInput = {
  /** The exact user_id. */
  userId: string;
};

/** A new address for signing in. */
export type ChangeEmailInput = {
  /** A code of the second factor, or a recovery code. Required only if a second factor is on. */
  code?: string | null | undefined;
  /** The new email address. */
  newEmail: string;
  /** The user's password. */
  password: string;
};

/** A new password. */
export type ChangePasswordInput = {
  /** A code of the second factor, or a recovery code. Required only if a second factor is on. */
  code?: string | null | undefined;
  /** The current password. */
  currentPassword: string;
  /** 8 to 256 characters, not easy to guess. Spaces and case count. */
  newPassword: string;
};

/** The credentials to reauthenticate with. */
export type ConfirmPasswordInput = {
  /** A code of the second factor, or a recovery code. */
  code?: string | null | undefined;
  /** The user's password, unless a second factor is on. */
  password?: string | null | undefined;
};

/** A code that confirms the setup. */
export type ConfirmSecondFactorInput = {
  /** The code that the app shows. It counts as used: the next sign-in needs the next code. */
  code: string;
};

/** Selects conversations; all given fields must match. */
export type ConversationFilter = {
  /** The agent. */
  agentId?: string | number | null | undefined;
  /** Whether any message has failed. */
  failed?: boolean | null | undefined;
  /** The earliest time of the latest turn. */
  from?: string | null | undefined;
  /** Conversations with a reply that a caller or the team rated so. */
  rating?: RatingValue | null | undefined;
  /** Part of the session ID, at most 255 characters. Case, Unicode normalization and the kind of white space do not matter. */
  search?: string | null | undefined;
  /** The exact session ID. */
  sessionId?: string | null | undefined;
  /** The origin: the API or Try. */
  source?: TurnSource | null | undefined;
  /** Part of a message or a reply, at most 255 characters. Case, Unicode normalization, line breaks and other white space do not matter. A search takes at most a second: a page may be short or empty while hasNextPage is true, and the next page continues from endCursor. */
  text?: string | null | undefined;
  /** The time before which the latest turn began. */
  to?: string | null | undefined;
  /** The exact id of the end user. */
  userId?: string | null | undefined;
};

/** An account to open. */
export type CreateAccountInput = {
  /** The display name, at most 100 characters. */
  name: string;
};

/** A token to create. */
export type CreateAccountTokenInput = {
  /** When it expires, at most a year ahead; by default in a year. */
  expiresAt?: string | null | undefined;
  /** The display name, at most 100 characters. */
  name: string;
  /** The role: EDITOR or VIEWER. */
  role: Role;
};

/** An agent to create. */
export type CreateAgentInput = {
  /** At most 16 actions with different names; none by default. Their schemas and the reply schema may have 64 KiB in total. */
  actions?: Array<AgentActionInput> | null | undefined;
  /** The maximum number of earlier turns of a conversation that the model gets, 0 to 40; 40 by default. */
  contextTurns?: number | null | undefined;
  /** At most 1,000 characters. */
  description?: string | null | undefined;
  /** The name of another offered model, which answers if the first one is unreachable, overloaded or fails before its first text; never if the message or the settings cause the failure. A message then holds the higher of the two prices and is charged the price of the model that answered. */
  fallbackModel?: string | null | undefined;
  /** At most 32,768 characters. */
  instructions?: string | null | undefined;
  /** 1 to 1,000,000. */
  maxOutputTokens?: number | null | undefined;
  /** The name of an offered model. */
  model?: string | null | undefined;
  /** The name, at most 100 characters. */
  name: string;
  /** The JSON Schema (2020-12, 2019-09 or draft-07) of replies, which are an object; at most 16 KiB of JSON text; none by default. */
  replySchema?: string | null | undefined;
  /** 0 to 2. */
  temperature?: number | null | undefined;
  /** At most 32 variables with different names; none by default. */
  variables?: Array<AgentVariableInput> | null | undefined;
};

/** An export to create. */
export type CreateApiExportInput = {
  /** The agent to give access to. */
  agentId: string | number;
  /** The credits that it may use in a day (UTC), at least 1; no limit by default. */
  dailyCreditLimit?: number | null | undefined;
  /** When its keys expire; by default never. A time in the past is BAD_USER_INPUT. */
  expiresAt?: string | null | undefined;
  /** The credits that it may use in a calendar month (UTC), at least 1; no limit by default. */
  monthlyCreditLimit?: number | null | undefined;
  /** The name, at most 100 characters; 'API export' by default. */
  name?: string | null | undefined;
  /** 1 to 1,000,000; 600 by default. */
  rateLimitPerMinute?: number | null | undefined;
  /** Whether every message needs a user_id; false by default. */
  requireUserId?: boolean | null | undefined;
  /** The messages that each end user may send in a day (UTC), 1 to 1,000,000; no limit by default. */
  userDailyMessageLimit?: number | null | undefined;
  /** The number of the version to pin it to; by default it follows the published version. */
  version?: number | null | undefined;
};

/** A test case to create. */
export type CreateTestCaseInput = {
  /** The agent's id. */
  agentId: string | number;
  /** The case as JSON text, at most 64 KiB. */
  document: string;
  /** The turn that the case is made from, of the same agent. The case is deleted with the turn's conversation. */
  turnId?: string | number | null | undefined;
};

/** A webhook to create. */
export type CreateWebhookInput = {
  /** The events, at least one. */
  events: Array<WebhookEvent>;
  /** The address: https, without a user name, at most 2,048 bytes. */
  url: string;
};

/** Selects entries; all given fields must match. */
export type CreditFilter = {
  /** The agent, deleted or not. */
  agentId?: string | number | null | undefined;
  /** The export, removed or not. */
  exportId?: string | number | null | undefined;
  /** The start of the range. */
  from?: string | null | undefined;
  /** The kind. */
  kind?: CreditKind | null | undefined;
  /** The end of the range, exclusive. */
  to?: string | null | undefined;
};

/** The kind of an entry of the credit history. */
export type CreditKind =
  /** A correction by the operator. */
  | 'ADJUSTMENT'
  /** The price of one answered message. */
  | 'CHARGE'
  /** Credits that were added: at sign-up, or by the operator. */
  | 'GRANT';

/** Confirms the deletion of the account. */
export type DeleteAccountInput = {
  /** A code of the second factor, or a recovery code. Required only if a second factor is on. */
  code?: string | null | undefined;
  /** The user's password. */
  password: string;
};

/** The agent to delete. */
export type DeleteAgentInput = {
  /** The agent's id. */
  id: string | number;
};

/** The conversation to delete. */
export type DeleteConversationInput = {
  /** The conversation's id. */
  id: string | number;
};

/** The conversations to delete. */
export type DeleteConversationsInput = {
  /** The agent; all agents by default. */
  agentId?: string | number | null | undefined;
  /** The exact session ID. */
  sessionId: string;
};

/** The end user to erase. */
export type DeleteEndUserInput = {
  /** The agent; all agents by default. */
  agentId?: string | number | null | undefined;
  /** The exact user_id. */
  userId: string;
};

/** The source to delete for good. */
export type DeleteKnowledgeSourceInput = {
  /** The source's id. */
  id: string | number;
};

/** The test cases to delete. */
export type DeleteTestCasesInput = {
  /** The cases' ids, at most 500, all of one agent. */
  ids: Array<string | number>;
};

/** The run to delete. */
export type DeleteTestRunInput = {
  /** The run's id. */
  id: string | number;
};

/** The agent whose unused knowledge is deleted. */
export type DeleteUnusedKnowledgeInput = {
  /** The agent's id. */
  agentId: string | number;
};

/** The webhook to delete. */
export type DeleteWebhookInput = {
  /** The webhook's id. */
  id: string | number;
};

/** The agent whose draft is discarded. */
export type DiscardAgentChangesInput = {
  /** The agent's id. */
  id: string | number;
  /** Whether to delete for good the knowledge sources that only the draft has. By default such sources are CONFLICT, and the message names them. */
  removeKnowledge?: boolean | null | undefined;
};

/** The agent to duplicate. */
export type DuplicateAgentInput = {
  /** The agent's id. */
  id: string | number;
  /** The name of the new agent, at most 100 characters. */
  name: string;
};

/** The sign-in to end. */
export type EndSignInInput = {
  /** The sign-in's id. */
  id: string | number;
};

/** Selects messages; all given fields must match. End users without a matching message are omitted. */
export type EndUserFilter = {
  /** The agent. */
  agentId?: string | number | null | undefined;
  /** Whether the end user is blocked. */
  blocked?: boolean | null | undefined;
  /** The export. */
  exportId?: string | number | null | undefined;
  /** The earliest time of a message. */
  from?: string | null | undefined;
  /** Part of the id, at most 255 characters. Case, Unicode normalization and the kind of white space do not matter. */
  search?: string | null | undefined;
  /** The time before which a message began. */
  to?: string | null | undefined;
};

/** An order of end users. */
export type EndUserOrder = {
  /** The direction: ASC for USER_ID, DESC for LAST_SEEN; otherwise BAD_USER_INPUT. */
  direction: OrderDirection;
  /** The field. */
  field: EndUserOrderField;
};

/** A field by which end users are ordered. */
export type EndUserOrderField =
  /** The newest message of the end user's conversations, of the filter's agent or of all, even if the filter does not count it; end users without a conversation come last. A page may be short, or empty, before the list ends: continue at its endCursor while hasNextPage is true. */
  | 'LAST_SEEN'
  /** The id. */
  | 'USER_ID';

/** Selects exports; all given fields must match. */
export type ExportFilter = {
  /** The agent. */
  agentId?: string | number | null | undefined;
  /** Whether it is in use: in any state but REMOVED. */
  inUse?: boolean | null | undefined;
  /** Part of the name or of a key's hint, at most 100 characters. Case, Unicode normalization and the kind of white space do not matter. */
  search?: string | null | undefined;
  /** The state. */
  state?: ExportState | null | undefined;
};

/** An order of exports, as AgentOrder. An order other than CREATED requires filter.inUse to be true: otherwise BAD_USER_INPUT. */
export type ExportOrder = {
  /** The direction. */
  direction: OrderDirection;
  /** The field. */
  field: ExportOrderField;
};

/** A field by which exports are ordered. */
export type ExportOrderField =
  /** When it was created. */
  | 'CREATED'
  /** The credits charged in this month (UTC). */
  | 'CREDITS_MONTH'
  /** The credits charged today (UTC). */
  | 'CREDITS_TODAY'
  /** When one of its keys was last used. */
  | 'LAST_USED'
  /** The name; case does not matter. */
  | 'NAME';

/** Whether an export's keys are accepted. */
export type ExportState =
  /** Its keys are accepted. */
  | 'ACTIVE'
  /** It has expired: its keys are not accepted until the expiry is moved. */
  | 'EXPIRED'
  /** It is paused: its keys get export_paused until it is resumed. */
  | 'PAUSED'
  /** It is removed for good: its keys are not accepted. */
  | 'REMOVED';

/** An agent's file. */
export type ImportAgentInput = {
  /** A file of at most 20 MB, in the format of Agent.fileHead, or of at most 2 MiB in another format. A model that is not offered is kept by name. Until it is offered, the agent needs another model. */
  file: Blob;
  /** The format of the file; null to detect it. */
  format?: AgentFileFormat | null | undefined;
};

/** A file of questions and answers. */
export type ImportKnowledgeAnswersInput = {
  /** Whether the answers are added; false only returns them. */
  add: boolean;
  /** The agent's id. */
  agentId: string | number;
  /** The encoding, such as "windows-1252"; null to detect it. Adding answers requires it if detection is not certain. */
  encoding?: string | null | undefined;
  /** A CSV file with two columns and at most 5,000 rows. Each line of its first cell is a question, the second cell is the answer. */
  file: Blob;
  /** Whether the first row names the columns; null to detect it. */
  header?: boolean | null | undefined;
};

/** A file of test cases. */
export type ImportTestCasesInput = {
  /** The agent's id. */
  agentId: string | number;
  /** The file. */
  file: Blob;
  /** True skips and lists what test cases do not support, such as system messages. By default, it is BAD_USER_INPUT. */
  skipUnsupported?: boolean | null | undefined;
};

/** The user to invite. */
export type InviteMemberInput = {
  /** The email address, as in signUp. */
  email: string;
  /** The role of the new member. */
  role: Role;
};

/** The kind of a source. */
export type KnowledgeKind =
  /** An answer with its questions. */
  | 'ANSWER'
  /** A file. */
  | 'FILE'
  /** A text that was typed or pasted. */
  | 'TEXT';

/** How an agent's knowledge reaches its model. */
export type KnowledgeMode =
  /** The agent has no knowledge. */
  | 'NONE'
  /** The model gets the passages that best match the message. */
  | 'SEARCH'
  /** It is small, so the model gets all of it with every message. */
  | 'WHOLE';

/** Whether a source has been read. */
export type KnowledgeState =
  /** It could not be read. */
  | 'FAILED'
  /** It is being read. */
  | 'READING'
  /** It has been read: the next version will have it. */
  | 'READY'
  /** It is queued for reading. */
  | 'WAITING';

/** The direction of an order. */
export type OrderDirection =
  /** The lowest value first, or the earliest, or A. */
  | 'ASC'
  /** The highest value first, or the latest, or Z. */
  | 'DESC';

/** The export to pause. */
export type PauseApiExportInput = {
  /** The export's id. */
  id: string | number;
};

/** The draft to publish. */
export type PublishAgentInput = {
  /** The updatedAt that the request is based on. CONFLICT if the agent has changed or was published since. */
  expectedUpdatedAt?: string | null | undefined;
  /** The agent's id. */
  id: string | number;
  /** A note on the changes, at most 500 characters. It is dropped if no version is created. */
  note?: string | null | undefined;
  /** True publishes a draft that has not passed its tests. Editors can do this if the gate is WARN; only owners if it is REQUIRE. */
  withoutTests?: boolean | null | undefined;
};

/** The reply to rate. */
export type RateTurnInput = {
  /** What is good or bad about the reply, at most 1,000 characters; empty by default. Leave it out to withdraw a rating. */
  note?: string | null | undefined;
  /** The turn's id. A pending or failed turn is NOT_FOUND. */
  turnId: string | number;
  /** The value; null withdraws the rating. */
  value?: RatingValue | null | undefined;
};

/** Who gave a rating. */
export type RatingKind =
  /** A caller, through the REST API. */
  | 'CALLER'
  /** A member or a token of the account. */
  | 'TEAM';

/** The value of a rating. */
export type RatingValue =
  /** A bad reply. */
  | 'DOWN'
  /** A good reply. */
  | 'UP';

/** The kind of a note. */
export type ReadingNoteCode =
  /** Comments, which were left out. */
  | 'COMMENTS'
  /** The file declares a wrong encoding. */
  | 'DECLARATION'
  /** An encoding that the file may have. */
  | 'ENCODING'
  /** Form fields, whose values were not read. */
  | 'FORM_VALUES'
  /** Hidden parts, which were left out. */
  | 'HIDDEN'
  /** List numbers of an unknown format, which are written as 1, 2, 3. */
  | 'NUMBERING'
  /** Inserted documents that could not be read. */
  | 'PARTS'
  /** Pictures without a description. */
  | 'PICTURES'
  /** Quotation marks without a partner. */
  | 'QUOTES'
  /** Struck-out parts, which were left out. */
  | 'STRUCK'
  /** Characters or pages that could not be read. */
  | 'UNREADABLE';

/** The token to remove. */
export type RemoveAccountTokenInput = {
  /** The token's id. */
  id: string | number;
};

/** The export to remove. */
export type RemoveApiExportInput = {
  /** The export's id. */
  id: string | number;
};

/** The source to remove from the draft. */
export type RemoveKnowledgeSourceInput = {
  /** The source's id. */
  id: string | number;
};

/** The member to remove. */
export type RemoveMemberInput = {
  /** Whether to remove the account tokens that the member created. */
  removeTokens?: boolean;
  /** The member's user id. */
  userId: string | number;
};

/** The credentials to switch the second factor off. */
export type RemoveSecondFactorInput = {
  /** A code of the second factor, or a recovery code. */
  code: string;
  /** The user's password. */
  password: string;
};

/** The invitation to renew. */
export type RenewInvitationInput = {
  /** The invitation's id. */
  id: string | number;
};

/** The credentials to replace the recovery codes. */
export type RenewRecoveryCodesInput = {
  /** A code of the second factor, or a recovery code. */
  code: string;
  /** The user's password. */
  password: string;
};

/** The export whose key is replaced. */
export type ReplaceApiKeyInput = {
  /** The export's id. */
  exportId: string | number;
  /** When the old key stops, at most 30 days from now; null stops it at once. */
  oldKeyStopsAt?: string | null | undefined;
};

/** The replacement for a source: the fields of its kind. */
export type ReplaceKnowledgeSourceInput = {
  /** For an answer: its text; the old one by default. */
  answer?: string | null | undefined;
  /** For a file: its encoding, as in AddKnowledgeFileInput. */
  encoding?: string | null | undefined;
  /** For a file: the new file, which is required. The request is multipart: see Upload. */
  file?: Blob | null | undefined;
  /** The id of the source to replace. */
  id: string | number;
  /** The new name; the old one by default. Not for answers. */
  name?: string | null | undefined;
  /** For an answer: the questions; the old ones by default. */
  questions?: Array<string> | null | undefined;
  /** For a text: the new text. */
  text?: string | null | undefined;
};

/** Selects requests; all given fields must match. */
export type RequestFilter = {
  /** The agent. */
  agentId?: string | number | null | undefined;
  /** The error code. */
  code?: string | null | undefined;
  /** The export. */
  exportId?: string | number | null | undefined;
  /** The start of the arrival time. */
  from?: string | null | undefined;
  /** The outcome. */
  outcome?: RequestOutcome | null | undefined;
  /** An exact request id or session ID. */
  search?: string | null | undefined;
  /** The HTTP status. */
  status?: number | null | undefined;
  /** Part of the message or the reply, at most 255 characters. Case, Unicode normalization, line breaks and other white space do not matter. Rejected requests have no text. A search takes at most a second: a page may be short or empty while hasNextPage is true, and the next page continues from endCursor. */
  text?: string | null | undefined;
  /** The end of the arrival time, exclusive. */
  to?: string | null | undefined;
  /** The exact id of the end user. */
  userId?: string | null | undefined;
};

/** The outcome of a request. */
export type RequestOutcome =
  /** A reply, which may be that of an earlier request. */
  | 'ANSWERED'
  /** The message failed: nothing was charged. */
  | 'FAILED'
  /** The request was rejected before a model was called: nothing was charged. */
  | 'REFUSED';

/** A forgotten password. */
export type RequestPasswordResetInput = {
  /** The email address for signing in. */
  email: string;
};

/** A new password, by a link. */
export type ResetPasswordInput = {
  /** 8 to 256 characters, not easy to guess. Spaces and case count. */
  newPassword: string;
  /** The token of the link. */
  token: string;
};

/** The version to restore. */
export type RestoreAgentVersionInput = {
  /** The agent's id. */
  id: string | number;
  /** The version's number. An unknown number is BAD_USER_INPUT. */
  number: number;
  /** Whether to delete for good the knowledge sources that only the draft has. By default such sources are CONFLICT, and the message names them. */
  removeKnowledge?: boolean | null | undefined;
};

/** The export to resume. */
export type ResumeApiExportInput = {
  /** The export's id. */
  id: string | number;
};

/** The file to read again. */
export type RetryKnowledgeSourceInput = {
  /** The encoding of a text, web page or table, such as one proposed in its notes; null to detect it. If it is left out, the last choice stays. */
  encoding?: string | null | undefined;
  /** The source's id. */
  id: string | number;
};

/** The delivery to send again. */
export type RetryWebhookDeliveryInput = {
  /** The delivery's id. */
  id: string | number;
};

/** The invitation to revoke. */
export type RevokeInvitationInput = {
  /** The invitation's id. */
  id: string | number;
};

/** A role in an account. */
export type Role =
  /** Reading; changing agents, knowledge, exports and keys; testing agents; managing conversations and end users. */
  | 'EDITOR'
  /** Everything. */
  | 'OWNER'
  /** Reading. */
  | 'VIEWER';

/** The webhook whose secret is replaced. */
export type RotateWebhookSecretInput = {
  /** The webhook's id. */
  id: string | number;
};

/** A message in Try. */
export type SendTestMessageInput = {
  /** Instead of a message: the results of all actions that the session's newest reply requests, in any order, without variables. The version that requested them continues. Any other results are CONFLICT; results that the newest reply has already used return that reply again. */
  actionResults?: Array<ActionResultInput> | null | undefined;
  /** The agent that answers. */
  agentId: string | number;
  /** The id of a turn of the same agent: a new session reads that turn's conversation up to that turn, as if it were its own. Nothing is copied: once that conversation is deleted, the session reads only its own turns. The session belongs to the same end user. An unknown turn is NOT_FOUND; an existing session that continues from another turn, or from none, is CONFLICT. Later messages of the session may omit it. */
  continueFrom?: string | number | null | undefined;
  /** A key that makes retries safe: the same key returns the same turn and nothing is charged twice. 1 to 255 visible ASCII characters. */
  idempotencyKey?: string | null | undefined;
  /** 1 to 32,768 characters, not blank; stored and sent verbatim. Required without actionResults. */
  message?: string | null | undefined;
  /** The name of the model that answers, to compare models; by default the model of the draft or the version. A model that is not offered is BAD_USER_INPUT. */
  model?: string | null | undefined;
  /** The conversation's session ID, separate from those of the API; by default a new conversation begins. Required with actionResults. */
  sessionId?: string | null | undefined;
  /** The id of an end user, like user_id: the conversation belongs to it from its first message on. 1 to 255 characters. */
  userId?: string | null | undefined;
  /** Values for the variables of the draft or the version, at most one per name. */
  variables?: Array<VariableInput> | null | undefined;
  /** The number of the agent's version that answers; by default the current draft. An unknown number is BAD_USER_INPUT. */
  version?: number | null | undefined;
};

/** When a key stops. */
export type SetApiKeyStopInput = {
  /** The key's id. */
  keyId: string | number;
  /** When it stops, at most 30 days from now. */
  stopsAt: string;
};

/** An individual limit of an end user. */
export type SetEndUserLimitInput = {
  /** The messages in a UTC day, 1 to 1,000,000; null removes the limit, and the exports' limits apply again. */
  dailyMessageLimit?: number | null | undefined;
  /** The exact user_id. */
  userId: string;
};

/** A new role for a member. */
export type SetMemberRoleInput = {
  /** The new role. */
  role: Role;
  /** The member's user id. */
  userId: string | number;
};

/** Credentials to sign in with. */
export type SignInInput = {
  /** A code of the second factor, or a recovery code; spaces and hyphens do not matter. Required only if a second factor is on. */
  code?: string | null | undefined;
  /** The user's email address, in any form that was valid for signing up. */
  email: string;
  /** The user's password. */
  password: string;
};

/** An account to open. */
export type SignUpInput = {
  /** The email address for signing in. Case does not matter. An international domain is stored in its ASCII form (xn--). The part before the @ must use the letters of a single script. */
  email: string;
  /** The display name, at most 100 characters. */
  name: string;
  /** 8 to 256 characters, not easy to guess. Spaces and case count. */
  password: string;
};

/** A run to start. */
export type StartTestRunInput = {
  /** The agent's id. */
  agentId: string | number;
  /** The most credits that the run may spend; by default its price. */
  budget?: number | null | undefined;
  /** The ids of current cases, at most 500; by default all enabled cases. */
  cases?: Array<string | number> | null | undefined;
  /** Makes retries safe: the same key returns the same run. 1 to 255 visible ASCII characters. */
  idempotencyKey?: string | null | undefined;
  /** The name of a model to use instead of the draft's or version's own. */
  model?: string | null | undefined;
  /** The version's number; by default, the draft is tested. */
  version?: number | null | undefined;
};

/** The key to stop. */
export type StopApiKeyInput = {
  /** The key's id. */
  keyId: string | number;
};

/** The run to stop. */
export type StopTestRunInput = {
  /** The run's id. */
  id: string | number;
};

/** The difference in a case's outcome between two runs. */
export type TestChange =
  /** A larger share of attempts passed. */
  | 'BETTER'
  /** The case was edited in between. */
  | 'EDITED'
  /** Only the older run has it. */
  | 'GONE'
  /** Only the newer run has it. */
  | 'NEW'
  /** The same share of attempts passed. */
  | 'SAME'
  /** A smaller share of attempts passed. */
  | 'WORSE';

/** What an untested draft needs to be published. */
export type TestGate =
  /** Nothing. */
  | 'OFF'
  /** An owner who confirms it with withoutTests. */
  | 'REQUIRE'
  /** An editor who confirms it with withoutTests. */
  | 'WARN';

/** The state of a run. */
export type TestRunState =
  /** A case did not pass. */
  | 'FAILED'
  /** All cases passed. */
  | 'PASSED'
  /** Its messages are being sent. */
  | 'RUNNING'
  /** It was stopped before all attempts had a result. */
  | 'STOPPED'
  /** It is waiting for a free replica, or for the account's earlier run to end. */
  | 'WAITING';

/** The test result of a draft. */
export type TestStanding =
  /** The newest run of all cases on this draft failed. */
  | 'FAILED'
  /** The draft has the same settings and knowledge as a version, so it needs no test. */
  | 'NOT_NEEDED'
  /** The newest run of all cases on this draft passed. */
  | 'PASSED'
  /** No finished run has tested this draft with the current cases and test settings. */
  | 'UNTESTED';

/** Why a run was stopped. */
export type TestStopReason =
  /** The next message would exceed the budget. */
  | 'BUDGET'
  /** A user or token stopped it. */
  | 'CANCELLED'
  /** The account does not have enough credits. */
  | 'CREDITS'
  /** The draft was changed. */
  | 'DRAFT_CHANGED'
  /** A source of the tested version was deleted. */
  | 'KNOWLEDGE_CHANGED'
  /** The model, the service or the judge was unavailable for too long. */
  | 'UNAVAILABLE'
  /** Too many unpaid model calls: messages were blocked, timed out or broke their schema. */
  | 'UNPAID';

/** The webhook to test. */
export type TestWebhookInput = {
  /** The webhook's id. */
  id: string | number;
};

/** The origin of a message. */
export type TurnSource =
  /** The REST API. */
  | 'API'
  /** Try in the panel. */
  | 'PLAYGROUND'
  /** A test run. Lists include these conversations only if filtered by this source. */
  | 'TEST';

/** The state of a turn. */
export type TurnState =
  /** Answered and charged. */
  | 'ANSWERED'
  /** Failed: nothing was charged, and the model does not see it in later turns. */
  | 'FAILED'
  /** The model has not answered yet. */
  | 'PENDING';

/** The end user to unblock. */
export type UnblockEndUserInput = {
  /** The exact user_id. */
  userId: string;
};

/** The link in a mail about a change of address. */
export type UndoEmailChangeInput = {
  /** The token of the link. */
  token: string;
};

/** The agent to take offline. */
export type UnpublishAgentInput = {
  /** The agent's id. */
  id: string | number;
};

/** Changes to the account; an absent field stays unchanged. */
export type UpdateAccountInput = {
  /** The number of available credits at which the owners are notified, by mail if the service sends mail; at least 1, or null for never. */
  lowCreditsAt?: number | null | undefined;
  /** The display name, at most 100 characters; it cannot be cleared. */
  name?: string | null | undefined;
  /** Whether members need a second factor; it cannot be cleared. A member without a second factor cannot switch this on: CONFLICT. */
  requireSecondFactor?: boolean | null | undefined;
  /** The number of days without a message after which conversations are deleted: 1 to 36,500, or to the service's limit. Null for the service's limit. Older conversations and rejected requests are permanently deleted within minutes. */
  retentionDays?: number | null | undefined;
};

/** Changes to an agent; an absent field stays unchanged, and null clears it. */
export type UpdateAgentInput = {
  /** All actions, at most 16 with different names; null removes them all. Their schemas and the reply schema may have 64 KiB in total. */
  actions?: Array<AgentActionInput> | null | undefined;
  /** The maximum number of earlier turns of a conversation that the model gets, 0 to 40; null restores 40. */
  contextTurns?: number | null | undefined;
  /** At most 1,000 characters. */
  description?: string | null | undefined;
  /** The updatedAt that the change is based on. CONFLICT if the agent has changed since. */
  expectedUpdatedAt?: string | null | undefined;
  /** The name of another offered model, which answers if the first one is unreachable, overloaded or fails before its first text; never if the message or the settings cause the failure. A message then holds the higher of the two prices and is charged the price of the model that answered. */
  fallbackModel?: string | null | undefined;
  /** The agent's id. */
  id: string | number;
  /** At most 32,768 characters. */
  instructions?: string | null | undefined;
  /** 1 to 1,000,000. */
  maxOutputTokens?: number | null | undefined;
  /** The name of an offered model. */
  model?: string | null | undefined;
  /** The name, at most 100 characters; it cannot be cleared. */
  name?: string | null | undefined;
  /** The JSON Schema (2020-12, 2019-09 or draft-07) of replies, which are an object; at most 16 KiB of JSON text; null for plain text. */
  replySchema?: string | null | undefined;
  /** 0 to 2. */
  temperature?: number | null | undefined;
  /** All variables, at most 32 with different names; null removes them all. */
  variables?: Array<AgentVariableInput> | null | undefined;
};

/** Changes to an export: an absent field stays unchanged. */
export type UpdateApiExportInput = {
  /** The credits that it may use in a day (UTC), at least 1; null removes the limit. */
  dailyCreditLimit?: number | null | undefined;
  /** When its keys expire; null for never. A time in the past is BAD_USER_INPUT. */
  expiresAt?: string | null | undefined;
  /** The export's id. */
  id: string | number;
  /** The credits that it may use in a calendar month (UTC), at least 1; null removes the limit. */
  monthlyCreditLimit?: number | null | undefined;
  /** The name, at most 100 characters; it cannot be cleared. */
  name?: string | null | undefined;
  /** 1 to 1,000,000; null restores 600. */
  rateLimitPerMinute?: number | null | undefined;
  /** Whether every message needs a user_id; null means false. */
  requireUserId?: boolean | null | undefined;
  /** The messages that each end user may send in a day (UTC), 1 to 1,000,000; null removes the limit. */
  userDailyMessageLimit?: number | null | undefined;
  /** The number of the version to pin it to; null to follow the published version. */
  version?: number | null | undefined;
};

/** The test case to replace. */
export type UpdateTestCaseInput = {
  /** The new document, as JSON text, at most 64 KiB; the old one by default. */
  document?: string | null | undefined;
  /** The case's id. */
  id: string | number;
  /** True keeps the case when its conversation is deleted. Remove personal data from its texts first. */
  keep?: boolean | null | undefined;
};

/** Changes to an agent's test settings. Absent fields stay unchanged. */
export type UpdateTestSettingsInput = {
  /** The agent's id. */
  agentId: string | number;
  /** What an untested draft needs to be published. */
  gate?: TestGate | null | undefined;
  /** Another agent of the account; null for none. */
  judge?: string | number | null | undefined;
  /** The number of attempts that must pass, 1 to repeats. */
  neededPasses?: number | null | undefined;
  /** The number of attempts of each case, 1 to 5. */
  repeats?: number | null | undefined;
  /** The credits that account tokens may spend on runs per UTC day. */
  tokenCreditsPerDay?: number | null | undefined;
};

/** Changes to the user. */
export type UpdateUserInput = {
  /** The name, 1 to 100 characters. Other members of the user's accounts see it. */
  name: string;
};

/** Changes of a webhook. Absent fields stay. */
export type UpdateWebhookInput = {
  /** The events, at least one. */
  events?: Array<WebhookEvent> | null | undefined;
  /** The webhook's id. */
  id: string | number;
  /** True pauses the webhook. False resumes it, also if it is FAILING; it then gets messages answered from now on. */
  paused?: boolean | null | undefined;
  /** The address, as in createWebhook. */
  url?: string | null | undefined;
};

/** A dimension that splits usage. */
export type UsageDimension =
  /** The agent. */
  | 'AGENT'
  /** The export. */
  | 'EXPORT'
  /** The model. */
  | 'MODEL'
  /** The origin of the message. */
  | 'SOURCE'
  /** answered, or the REST API's error code. */
  | 'STATUS'
  /** The end user. This reads the messages, so it takes longer the more there are. */
  | 'USER'
  /** The agent's version. Requires filter.agentId and a range of at most 31 days: otherwise BAD_USER_INPUT. It reads the messages, as USER. */
  | 'VERSION';

/** Selects messages and requests; all given fields must match. */
export type UsageFilter = {
  /** The agent, deleted or not. */
  agentId?: string | number | null | undefined;
  /** The export, removed or not. */
  exportId?: string | number | null | undefined;
  /** The start of the range. */
  from: string;
  /** The model, as provider/model. */
  model?: string | null | undefined;
  /** The origin of the messages. */
  source?: TurnSource | null | undefined;
  /** The end of the range, exclusive. */
  to: string;
  /** The exact id of the end user. */
  userId?: string | null | undefined;
};

/** The length of a row of usage. */
export type UsageInterval =
  /** A day in the time zone, which may have 23 or 25 hours. */
  | 'DAY'
  /** A clock hour in the time zone; shorter only where the clock changed within it. */
  | 'HOUR'
  /** A month in the time zone. */
  | 'MONTH';

/** A value for a variable. */
export type VariableInput = {
  /** The variable's name. A name that the agent does not declare is BAD_USER_INPUT. */
  name: string;
  /** At most 4,000 characters. */
  value: string;
};

/** A link that was mailed. */
export type VerifyEmailInput = {
  /** For the link of a sign-up: the password chosen there. */
  password?: string | null | undefined;
  /** The token of the link. */
  token: string;
};

/** Why a try failed. */
export type WebhookError =
  /** The address cannot be found or is not allowed. */
  | 'ADDRESS'
  /** No connection. */
  | 'CONNECT'
  /** The receiver did not answer with 2xx. */
  | 'STATUS'
  /** No answer in time. */
  | 'TIMEOUT'
  /** No verified TLS connection. */
  | 'TLS';

/** An event. The posted JSON writes it in lower case with a dot: MESSAGE_COMPLETED is message.completed. */
export type WebhookEvent =
  /** The available credits fell to the account's threshold. */
  | 'CREDITS_LOW'
  /** Less credit is left than the last message cost. */
  | 'CREDITS_USED_UP'
  /** An API export has used 90% of its credits for a day or a month. */
  | 'EXPORT_LIMIT_NEAR'
  /** A key expires within three days. */
  | 'KEY_STOPS_SOON'
  /** A user has joined the account. */
  | 'MEMBER_ADDED'
  /** A user was removed or has left. */
  | 'MEMBER_REMOVED'
  /** A member's role has changed. */
  | 'MEMBER_ROLE_CHANGED'
  /** Messages were answered. */
  | 'MESSAGE_COMPLETED'
  /** Messages failed. */
  | 'MESSAGE_FAILED'
  /** A reply was rated. */
  | 'RATING_GIVEN'
  /** An agent was published. */
  | 'VERSION_PUBLISHED'
  /** A test, sent by testWebhook only: it cannot be chosen. */
  | 'WEBHOOK_TEST';

/** Whether a webhook gets events, or why not. */
export type WebhookState =
  /** It was switched off: its receiver answered 410, or all tries within 3 days failed. Its waiting events have failed. */
  | 'FAILING'
  /** It gets events. */
  | 'ON'
  /** An owner has paused it. Its waiting events are sent once it is resumed. */
  | 'PAUSED'
  /** The operator has stopped it. Its waiting events have failed. */
  | 'STOPPED';

export type CreateAccountMutationVariables = Exact<{
  input: CreateAccountInput;
}>;


export type CreateAccountMutation = { createAccount: { account: { accountId: string } } };

export type MyAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type MyAccountsQuery = { me: { id: string, memberships: Array<{ account: { accountId: string, name: string } }> } };

export type ImportAgentMutationVariables = Exact<{
  input: ImportAgentInput;
}>;


export type ImportAgentMutation = { importAgent: { moreNotes: number, agent: { id: string, name: string }, notes: Array<{ line: number, path: string, message: string }> } };

export type AgentFileHeadQueryVariables = Exact<{
  id: string | number;
}>;


export type AgentFileHeadQuery = { agent: { id: string, fileHead: string } | null };

export type AgentFileSourcesQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
  length: number;
}>;


export type AgentFileSourcesQuery = { agent: { id: string, knowledge: { nodes: Array<{ id: string, kind: KnowledgeKind, name: string, state: KnowledgeState, pages: number | null, characters: number, inDraft: boolean, question: string | null, text: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type KnowledgeUseQueryVariables = Exact<{
  id: string | number;
}>;


export type KnowledgeUseQuery = { agent: { id: string, knowledgeUse: { sources: number, maxSources: number, passages: number, maxPassages: number, bytes: number, maxBytes: number, mode: KnowledgeMode } } | null };

export type KnowledgeQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type KnowledgeQuery = { agent: { id: string, knowledge: { nodes: Array<{ id: string, kind: KnowledgeKind, name: string, state: KnowledgeState, reason: string | null, size: number, characters: number, passages: number, pages: number | null, createdAt: string, inDraft: boolean, inVersions: Array<number>, notes: Array<{ code: ReadingNoteCode }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type KnowledgeSourceQueryVariables = Exact<{
  id: string | number;
}>;


export type KnowledgeSourceQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport' }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource', id: string, kind: KnowledgeKind, name: string, state: KnowledgeState, reason: string | null, size: number, characters: number, passages: number, pages: number | null, createdAt: string, inDraft: boolean, inVersions: Array<number>, question: string | null, encoding: string | null, notes: Array<{ code: ReadingNoteCode, message: string, sample: string | null, encoding: string | null }> }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn' }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
   | null };

export type KnowledgeTextQueryVariables = Exact<{
  id: string | number;
  offset: number;
  length: number;
}>;


export type KnowledgeTextQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport' }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource', id: string, characters: number, text: string }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn' }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
   | null };

export type SearchKnowledgeQueryVariables = Exact<{
  agentId: string | number;
  message: string;
}>;


export type SearchKnowledgeQuery = { searchKnowledge: Array<{ heading: string | null, page: number | null, text: string, score: number, words: Array<string>, source: { id: string, name: string } }> };

export type AddKnowledgeTextMutationVariables = Exact<{
  input: AddKnowledgeTextInput;
}>;


export type AddKnowledgeTextMutation = { addKnowledgeText: { source: { id: string, name: string } } };

export type AddKnowledgeAnswerMutationVariables = Exact<{
  input: AddKnowledgeAnswerInput;
}>;


export type AddKnowledgeAnswerMutation = { addKnowledgeAnswer: { source: { id: string, name: string } } };

export type ImportKnowledgeAnswersMutationVariables = Exact<{
  input: ImportKnowledgeAnswersInput;
}>;


export type ImportKnowledgeAnswersMutation = { importKnowledgeAnswers: { header: boolean, added: number, rows: Array<{ row: number, questions: Array<string>, answer: string, problem: string | null }>, notes: Array<{ code: ReadingNoteCode, message: string, sample: string | null, encoding: string | null }> } };

export type AddKnowledgeFileMutationVariables = Exact<{
  input: AddKnowledgeFileInput;
}>;


export type AddKnowledgeFileMutation = { addKnowledgeFile: { source: { id: string } } };

export type RetryKnowledgeSourceMutationVariables = Exact<{
  input: RetryKnowledgeSourceInput;
}>;


export type RetryKnowledgeSourceMutation = { retryKnowledgeSource: { source: { id: string } } };

export type ReplaceKnowledgeSourceMutationVariables = Exact<{
  input: ReplaceKnowledgeSourceInput;
}>;


export type ReplaceKnowledgeSourceMutation = { replaceKnowledgeSource: { source: { id: string, name: string } } };

export type RemoveKnowledgeSourceMutationVariables = Exact<{
  input: RemoveKnowledgeSourceInput;
}>;


export type RemoveKnowledgeSourceMutation = { removeKnowledgeSource: { agent: { id: string } } };

export type DeleteKnowledgeSourceMutationVariables = Exact<{
  input: DeleteKnowledgeSourceInput;
}>;


export type DeleteKnowledgeSourceMutation = { deleteKnowledgeSource: { deletedKnowledgeSourceId: string } };

export type DeleteUnusedKnowledgeMutationVariables = Exact<{
  input: DeleteUnusedKnowledgeInput;
}>;


export type DeleteUnusedKnowledgeMutation = { deleteUnusedKnowledge: { deleted: number } };

export type AgentFiguresQueryVariables = Exact<{
  from: string;
  month: string;
  to: string;
}>;


export type AgentFiguresQuery = { viewer: { id: string, day: Array<{ messages: number, failed: number, agent: { id: string } | null }>, month: Array<{ credits: number, agent: { id: string } | null }> } | null };

export type AgentsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: AgentFilter | null | undefined;
  orderBy?: AgentOrder | null | undefined;
}>;


export type AgentsQuery = { agents: { totalCount: number, nodes: Array<{ id: string, name: string, description: string, state: AgentState, hasUnpublishedChanges: boolean, lastUsedAt: string | null, publishedVersion: { number: number } | null, model: { name: string, label: string } | null, exports: Array<{ id: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ModelsQueryVariables = Exact<{ [key: string]: never; }>;


export type ModelsQuery = { models: Array<{ name: string, label: string, provider: string, creditsPerMessage: number, creditsWithKnowledge: number | null, available: boolean, contextWindow: number, sandbox: boolean }> };

export type CreateAgentMutationVariables = Exact<{
  input: CreateAgentInput;
}>;


export type CreateAgentMutation = { createAgent: { agent: { id: string, name: string } } };

export type DuplicateAgentMutationVariables = Exact<{
  input: DuplicateAgentInput;
}>;


export type DuplicateAgentMutation = { duplicateAgent: { agent: { id: string, name: string } } };

export type EditedAgentFragment = (
  { id: string, name: string, description: string, state: AgentState, missing: Array<AgentRequirement>, hasUnpublishedChanges: boolean, updatedAt: string, lastUsedAt: string | null, publishedVersion: { number: number } | null, model: { creditsPerMessage: number, creditsWithKnowledge: number | null, available: boolean, sandbox: boolean } | null, fallbackModel: { creditsPerMessage: number, creditsWithKnowledge: number | null, available: boolean } | null, exports: Array<{ id: string, version: number | null }>, knowledgeUse: { mode: KnowledgeMode } }
  & { ' $fragmentRefs'?: { 'DraftContentFragment': DraftContentFragment } }
) & { ' $fragmentName'?: 'EditedAgentFragment' };

export type AgentQueryVariables = Exact<{
  id: string | number;
}>;


export type AgentQuery = { agent: { ' $fragmentRefs'?: { 'EditedAgentFragment': EditedAgentFragment } } | null };

export type UpdateAgentMutationVariables = Exact<{
  input: UpdateAgentInput;
}>;


export type UpdateAgentMutation = { updateAgent: { agent: { ' $fragmentRefs'?: { 'EditedAgentFragment': EditedAgentFragment } } } };

export type ExampleReplyQueryVariables = Exact<{
  schema: string;
}>;


export type ExampleReplyQuery = { exampleReply: string | null, schemaNotes: Array<{ path: string }> };

export type UnpublishAgentMutationVariables = Exact<{
  input: UnpublishAgentInput;
}>;


export type UnpublishAgentMutation = { unpublishAgent: { agent: { id: string } } };

export type DeleteAgentMutationVariables = Exact<{
  input: DeleteAgentInput;
}>;


export type DeleteAgentMutation = { deleteAgent: { deletedAgentId: string } };

export type ReplaceCandidatesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: AgentFilter | null | undefined;
}>;


export type ReplaceCandidatesQuery = { agents: { totalCount: number, nodes: Array<{ id: string, name: string, state: AgentState, missing: Array<AgentRequirement>, instructions: string, updatedAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ReplaceInstructionsMutationVariables = Exact<{
  input: UpdateAgentInput;
}>;


export type ReplaceInstructionsMutation = { updateAgent: { agent: { id: string } } };

export type AuditLogQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: AuditFilter | null | undefined;
}>;


export type AuditLogQuery = { viewer: { id: string, createdAt: string, auditLog: { nodes: Array<{ id: string, at: string, action: string, subject: string, address: string | null, browser: string | null, actor: { kind: ActorKind, actorId: string | null, name: string }, details: Array<{ field: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type ConfirmPasswordMutationVariables = Exact<{
  input: ConfirmPasswordInput;
}>;


export type ConfirmPasswordMutation = { confirmPassword: { ok: boolean } };

export type SignInMutationVariables = Exact<{
  input: SignInInput;
}>;


export type SignInMutation = { signIn: { accessToken: string, expiresAt: string } };

export type SignUpMutationVariables = Exact<{
  input: SignUpInput;
}>;


export type SignUpMutation = { signUp: { accessToken: string | null, expiresAt: string | null, mailSent: boolean } };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { ok: boolean } };

export type RequestPasswordResetMutationVariables = Exact<{
  input: RequestPasswordResetInput;
}>;


export type RequestPasswordResetMutation = { requestPasswordReset: { ok: boolean } };

export type ResetPasswordMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetPasswordMutation = { resetPassword: { ok: boolean, leftBehind: { members: Array<string>, keys: Array<{ exportName: string, createdAt: string }> } | null } };

export type PasswordResetQueryVariables = Exact<{
  token: string;
}>;


export type PasswordResetQuery = { passwordReset: boolean };

export type VerifyEmailMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyEmailMutation = { verifyEmail: { ok: boolean } };

export type UndoEmailChangeMutationVariables = Exact<{
  input: UndoEmailChangeInput;
}>;


export type UndoEmailChangeMutation = { undoEmailChange: { ok: boolean } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { me: { id: string, name: string, email: string, memberships: Array<{ role: Role, account: { accountId: string, name: string } }> }, viewer: { id: string, name: string, viewerRole: Role, creditBalance: number, creditsHeld: number, creditsAvailable: number, lowCreditsAt: number | null } | null, serviceInfo: { signUpOpen: boolean } };

export type SecondFactorQueryVariables = Exact<{ [key: string]: never; }>;


export type SecondFactorQuery = { me: { id: string, emailVerified: boolean, secondFactor: boolean, recoveryCodesLeft: number } };

export type ServiceInfoQueryVariables = Exact<{ [key: string]: never; }>;


export type ServiceInfoQuery = { serviceInfo: { version: string, baseUrl: string, signUpOpen: boolean, creditsHelp: string, supportContact: string, mail: boolean, startingCredits: number, bridgeUrl: string | null } };

export type SavedTurnsFragment = { nodes: Array<{ id: string, number: number, createdAt: string, state: TurnState, errorCode: string | null, message: string, reply: string | null, output: string | null, misfit: string | null, finishReason: string | null, requestId: string, version: number | null, userId: string | null, model: string, fallback: boolean, credits: number, inputTokens: number | null, outputTokens: number | null, waitedMs: number | null, firstTextMs: number | null, durationMs: number | null, actionResults: Array<{ callId: string, name: string, result: string | null, error: string | null }>, actionCalls: Array<{ id: string, name: string, arguments: string, state: ActionCallState }>, variables: Array<{ name: string, value: string }>, ratings: Array<{ kind: RatingKind, value: RatingValue, note: string, ratedAt: string, ratedBy: { name: string } | null }>, export: { id: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } & { ' $fragmentName'?: 'SavedTurnsFragment' };

export type ConversationsToSaveQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: ConversationFilter | null | undefined;
  turns?: number | null | undefined;
}>;


export type ConversationsToSaveQuery = { viewer: { id: string, createdAt: string, conversations: { searchedTo: string | null, nodes: Array<{ id: string, sessionId: string, source: TurnSource, lastTurnAt: string | null, agent: { id: string, name: string }, turns: { ' $fragmentRefs'?: { 'SavedTurnsFragment': SavedTurnsFragment } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type FurtherTurnsQueryVariables = Exact<{
  id: string | number;
  turns?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type FurtherTurnsQuery = { conversation: { id: string, turns: { ' $fragmentRefs'?: { 'SavedTurnsFragment': SavedTurnsFragment } } } | null };

export type ConversationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: ConversationFilter | null | undefined;
}>;


export type ConversationsQuery = { viewer: { id: string, conversations: { searchedTo: string | null, edges: Array<{ node: { id: string }, hits: Array<{ number: number, inReply: boolean, excerpt: string, ranges: Array<{ start: number, length: number }> }> }>, nodes: Array<{ id: string, sessionId: string, source: TurnSource, userId: string | null, preview: string, turnCount: number, failedTurns: number, credits: number, lastTurnAt: string | null, agent: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type TranscriptQueryVariables = Exact<{
  id: string | number;
  last: number;
  before?: string | null | undefined;
}>;


export type TranscriptQuery = { conversation: { id: string, sessionId: string, source: TurnSource, userId: string | null, turnCount: number, failedTurns: number, credits: number, createdAt: string, lastTurnAt: string | null, continuesFrom: { id: string, number: number, conversationId: string } | null, agent: { id: string, name: string }, turns: { nodes: Array<(
        { id: string, conversationId: string, number: number, state: TurnState, errorCode: string | null, requestId: string, version: number | null, model: string, fallback: boolean, background: boolean, userId: string | null, source: TurnSource, credits: number, createdAt: string, durationMs: number | null, variables: Array<{ name: string, value: string }>, request: { id: string } | null, export: { id: string, name: string } | null }
        & { ' $fragmentRefs'?: { 'TurnMessageFragment': TurnMessageFragment;'TurnReplyFragment': TurnReplyFragment;'TurnRatingsFragment': TurnRatingsFragment } }
      )>, pageInfo: { hasPreviousPage: boolean, startCursor: string | null } } } | null };

export type ConversationHitsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: ConversationFilter | null | undefined;
}>;


export type ConversationHitsQuery = { viewer: { id: string, conversations: { edges: Array<{ node: { id: string }, hits: Array<{ number: number, inReply: boolean, excerpt: string, ranges: Array<{ start: number, length: number }> }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type MessagesTodayQueryVariables = Exact<{
  userId: string;
}>;


export type MessagesTodayQuery = { viewer: { id: string, endUser: { userId: string, dailyMessageLimit: number | null, messagesToday: number, nearestExportLimit: { dailyMessageLimit: number, messagesToday: number } | null } | null } | null };

export type DeleteConversationMutationVariables = Exact<{
  input: DeleteConversationInput;
}>;


export type DeleteConversationMutation = { deleteConversation: { deletedConversationId: string } };

export type DeleteConversationsMutationVariables = Exact<{
  input: DeleteConversationsInput;
}>;


export type DeleteConversationsMutation = { deleteConversations: { deletedCount: number } };

export type TurnPromptQueryVariables = Exact<{
  id: string | number;
}>;


export type TurnPromptQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport' }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource' }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn', id: string, version: number | null, source: TurnSource, inputTokens: number | null, outputTokens: number | null, message: string, actionResults: Array<{ callId: string, name: string, result: string | null, error: string | null }>, passages: Array<{ n: number, name: string, heading: string | null, page: number | null, text: string | null, source: { id: string } | null }>, prompt: { instructions: string, earlierTurns: number, actions: number, model: string, chain: Array<{ id: string, message: string, reply: string | null, actionCalls: Array<{ id: string, name: string, arguments: string, state: ActionCallState }>, actionResults: Array<{ callId: string, name: string, result: string | null, error: string | null }> }> } | null }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
   | null };

export type ContinuedTurnQueryVariables = Exact<{
  id: string | number;
}>;


export type ContinuedTurnQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport' }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource' }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn', id: string, number: number, conversation: { id: string, sessionId: string } }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
   | null };

export type TurnRatingsFragment = { ratings: Array<{ kind: RatingKind, value: RatingValue, note: string, ratedBy: { name: string } | null }> } & { ' $fragmentName'?: 'TurnRatingsFragment' };

export type RateTurnMutationVariables = Exact<{
  input: RateTurnInput;
}>;


export type RateTurnMutation = { rateTurn: { turn: (
      { id: string }
      & { ' $fragmentRefs'?: { 'TurnRatingsFragment': TurnRatingsFragment } }
    ) } };

export type TurnMessageFragment = { message: string, actionResults: Array<{ callId: string, name: string, result: string | null, error: string | null }> } & { ' $fragmentName'?: 'TurnMessageFragment' };

export type TurnReplyFragment = { reply: string | null, output: string | null, misfit: string | null, finishReason: string | null, actionCalls: Array<{ id: string, name: string, arguments: string, state: ActionCallState }>, sources: Array<{ n: number, name: string, heading: string | null, page: number | null, source: { id: string } | null }> } & { ' $fragmentName'?: 'TurnReplyFragment' };

export type DailyUsageQueryVariables = Exact<{
  from: string;
  to: string;
  timeZone?: string | null | undefined;
}>;


export type DailyUsageQuery = { viewer: { id: string, usage: Array<{ start: string | null, credits: number, messages: number }> } | null };

export type TopUpQueryVariables = Exact<{ [key: string]: never; }>;


export type TopUpQuery = { viewer: { id: string, topUpUrl: string | null } | null };

export type CreditHistoryQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: CreditFilter | null | undefined;
}>;


export type CreditHistoryQuery = { viewer: { id: string, createdAt: string, creditHistory: { nodes: Array<{ id: string, kind: CreditKind, amount: number, balanceAfter: number, createdAt: string, note: string | null, agentName: string | null, exportName: string | null, agent: { id: string, name: string } | null, export: { id: string, name: string } | null, turn: { id: string, number: number, conversationId: string, request: { id: string, preview: string | null } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CreditDaysQueryVariables = Exact<{
  filter: UsageFilter;
  interval: UsageInterval;
  timeZone?: string | null | undefined;
  from: string;
  to: string;
  balances: boolean;
}>;


export type CreditDaysQuery = { viewer: { id: string, usage: Array<{ start: string | null, credits: number, messages: number }>, first?: { nodes: Array<{ id: string, balanceAfter: number }> }, last?: { nodes: Array<{ id: string, balanceAfter: number }> } } | null };

export type FirstRequestQueryVariables = Exact<{
  exportId: string | number;
}>;


export type FirstRequestQuery = { viewer: { id: string, creditsAvailable: number, requests: { nodes: Array<{ id: string, at: string, outcome: RequestOutcome, status: number, code: string | null, detail: string | null, credits: number, durationMs: number | null, turn: { message: string, reply: string | null } | null }> } } | null };

export type CalledExportFragment = { id: string, state: ExportState, requireUserId: boolean, userDailyMessageLimit: number | null, pinnedVersion: { replySchema: string | null, variables: Array<{ name: string, required: boolean }>, actions: Array<{ name: string }> } | null, agent: { id: string, name: string, publishedVersion: { replySchema: string | null, variables: Array<{ name: string, required: boolean }>, actions: Array<{ name: string }> } | null } } & { ' $fragmentName'?: 'CalledExportFragment' };

export type QuickstartQueryVariables = Exact<{
  id: string | number;
}>;


export type QuickstartQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | (
      { __typename: 'ApiExport' }
      & { ' $fragmentRefs'?: { 'CalledExportFragment': CalledExportFragment } }
    )
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource' }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn' }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
   | null };

export type NewestExportQueryVariables = Exact<{
  agentId?: string | number | null | undefined;
}>;


export type NewestExportQuery = { viewer: { id: string, exports: { nodes: Array<(
        { id: string }
        & { ' $fragmentRefs'?: { 'CalledExportFragment': CalledExportFragment } }
      )> } } | null };

export type AccountTokensQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountTokensQuery = { viewer: { id: string, accountTokens: Array<{ id: string, name: string, role: Role, createdAt: string, lastUsedAt: string | null, expiresAt: string, createdBy: { name: string } }> | null } | null };

export type CreateAccountTokenMutationVariables = Exact<{
  input: CreateAccountTokenInput;
}>;


export type CreateAccountTokenMutation = { createAccountToken: { secret: string, accountToken: { id: string, name: string } } };

export type RemoveAccountTokenMutationVariables = Exact<{
  input: RemoveAccountTokenInput;
}>;


export type RemoveAccountTokenMutation = { removeAccountToken: { removedAccountTokenId: string } };

export type ExportPageQueryVariables = Exact<{
  id: string | number;
}>;


export type ExportPageQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport', id: string, name: string, state: ExportState, createdAt: string, removedAt: string | null, expiresAt: string | null, lastUsedAt: string | null, rateLimitPerMinute: number, version: number | null, dailyCreditLimit: number | null, monthlyCreditLimit: number | null, creditsUsedToday: number, creditsUsedThisMonth: number, requireUserId: boolean, userDailyMessageLimit: number | null, keys: Array<{ id: string, createdAt: string, lastUsedAt: string | null, stopsAt: string | null, hint: string }>, agent: { id: string, name: string, state: AgentState, publishedVersion: { number: number, replySchema: string | null, variables: Array<{ name: string, required: boolean }>, actions: Array<{ name: string }>, model: { name: string, creditsPerMessage: number } | null } | null }, pinnedVersion: { replySchema: string | null, variables: Array<{ name: string, required: boolean }>, actions: Array<{ name: string }> } | null }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource' }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn' }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
   | null };

export type ExportUseQueryVariables = Exact<{
  exportId: string | number;
  from: string;
  to: string;
  timeZone?: string | null | undefined;
}>;


export type ExportUseQuery = { viewer: { id: string, total: Array<{ messages: number, failed: number, refused: number, credits: number }>, days: Array<{ start: string | null, credits: number }> } | null };

export type ExportCallsQueryVariables = Exact<{
  exportId: string | number;
  first: number;
}>;


export type ExportCallsQuery = { viewer: { id: string, requests: { nodes: Array<{ id: string, requestId: string, at: string, outcome: RequestOutcome, status: number, code: string | null, credits: number, durationMs: number | null }> } } | null };

export type ReplaceApiKeyMutationVariables = Exact<{
  input: ReplaceApiKeyInput;
}>;


export type ReplaceApiKeyMutation = { replaceApiKey: { apiKey: string, export: { id: string, name: string } } };

export type StopApiKeyMutationVariables = Exact<{
  input: StopApiKeyInput;
}>;


export type StopApiKeyMutation = { stopApiKey: { export: { id: string, keys: Array<{ id: string, createdAt: string, lastUsedAt: string | null, stopsAt: string | null, hint: string }> } } };

export type SetApiKeyStopMutationVariables = Exact<{
  input: SetApiKeyStopInput;
}>;


export type SetApiKeyStopMutation = { setApiKeyStop: { export: { id: string, keys: Array<{ id: string, createdAt: string, lastUsedAt: string | null, stopsAt: string | null, hint: string }> } } };

export type RemoveApiExportMutationVariables = Exact<{
  input: RemoveApiExportInput;
}>;


export type RemoveApiExportMutation = { removeApiExport: { export: { id: string, state: ExportState, removedAt: string | null } } };

export type AgentExportsQueryVariables = Exact<{
  id: string | number;
}>;


export type AgentExportsQuery = { agent: { id: string, name: string, state: AgentState, model: { sandbox: boolean } | null, publishedVersion: { number: number, replySchema: string | null, variables: Array<{ name: string, required: boolean }>, actions: Array<{ name: string }>, model: { name: string, creditsPerMessage: number } | null } | null, exports: Array<{ id: string, name: string, state: ExportState, expiresAt: string | null, lastUsedAt: string | null, rateLimitPerMinute: number, version: number | null, dailyCreditLimit: number | null, monthlyCreditLimit: number | null, creditsUsedToday: number, creditsUsedThisMonth: number, requireUserId: boolean, userDailyMessageLimit: number | null, keys: Array<{ id: string, hint: string }> }> } | null };

export type AccountExportsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: ExportFilter | null | undefined;
  orderBy?: ExportOrder | null | undefined;
}>;


export type AccountExportsQuery = { viewer: { id: string, exports: { nodes: Array<{ id: string, name: string, state: ExportState, removedAt: string | null, lastUsedAt: string | null, expiresAt: string | null, rateLimitPerMinute: number, version: number | null, dailyCreditLimit: number | null, monthlyCreditLimit: number | null, creditsUsedToday: number, creditsUsedThisMonth: number, requireUserId: boolean, userDailyMessageLimit: number | null, keys: Array<{ id: string, hint: string }>, agent: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type LiveAgentsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type LiveAgentsQuery = { agents: { nodes: Array<{ id: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateApiExportMutationVariables = Exact<{
  input: CreateApiExportInput;
}>;


export type CreateApiExportMutation = { createApiExport: { apiKey: string, export: { id: string, name: string } } };

export type UpdateApiExportMutationVariables = Exact<{
  input: UpdateApiExportInput;
}>;


export type UpdateApiExportMutation = { updateApiExport: { export: { id: string, name: string, state: ExportState, rateLimitPerMinute: number, version: number | null, expiresAt: string | null, dailyCreditLimit: number | null, monthlyCreditLimit: number | null, creditsUsedToday: number, creditsUsedThisMonth: number, requireUserId: boolean, userDailyMessageLimit: number | null } } };

export type PauseApiExportMutationVariables = Exact<{
  input: PauseApiExportInput;
}>;


export type PauseApiExportMutation = { pauseApiExport: { export: { id: string, state: ExportState } } };

export type ResumeApiExportMutationVariables = Exact<{
  input: ResumeApiExportInput;
}>;


export type ResumeApiExportMutation = { resumeApiExport: { export: { id: string, state: ExportState } } };

export type HomeQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeQuery = { agents: { totalCount: number, nodes: Array<{ id: string, name: string, state: AgentState, hasUnpublishedChanges: boolean, lastUsedAt: string | null, publishedVersion: { number: number } | null, model: { label: string } | null }> }, viewer: { id: string, conversations: { nodes: Array<{ id: string, sessionId: string, userId: string | null, preview: string, failedTurns: number, lastTurnAt: string | null, agent: { id: string, name: string } }> }, calls: { nodes: Array<{ id: string }> }, charges: { nodes: Array<{ id: string, exportName: string | null }> }, exports: { nodes: Array<{ id: string, name: string, state: ExportState, requireUserId: boolean, userDailyMessageLimit: number | null, agent: { id: string, name: string, publishedVersion: { variables: Array<{ name: string, required: boolean }> } | null }, pinnedVersion: { variables: Array<{ name: string, required: boolean }> } | null }> } } | null };

export type HomeAttentionQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeAttentionQuery = { agents: { nodes: Array<{ id: string, name: string, state: AgentState, hasUnpublishedChanges: boolean, publishedVersion: { number: number } | null }> }, viewer: { id: string, exports: { nodes: Array<{ id: string, name: string, expiresAt: string | null, dailyCreditLimit: number | null, monthlyCreditLimit: number | null, creditsUsedToday: number, creditsUsedThisMonth: number, agent: { id: string } }> } } | null };

export type CreateStarterMutationVariables = Exact<{
  input: CreateAgentInput;
}>;


export type CreateStarterMutation = { createAgent: { agent: { id: string, name: string } } };

export type HomeUsageQueryVariables = Exact<{
  from: string;
  before: string;
  to: string;
  hourAgo: string;
  interval: UsageInterval;
  timeZone?: string | null | undefined;
}>;


export type HomeUsageQuery = { viewer: { id: string, now: Array<{ messages: number, failed: number, refused: number, credits: number, durationP50Ms: number | null, durationP95Ms: number | null }>, before: Array<{ messages: number, failed: number, durationP50Ms: number | null }>, points: Array<{ start: string | null, messages: number, failed: number, credits: number, durationP50Ms: number | null, durationP95Ms: number | null }>, agents: Array<{ source: TurnSource | null, messages: number, failed: number, credits: number, agent: { id: string, name: string } | null }>, agentPoints: Array<{ start: string | null, messages: number, agent: { id: string } | null }>, lastHour: Array<{ status: string | null, messages: number, failed: number, agent: { id: string, name: string } | null }> } | null };

export type MembersQueryVariables = Exact<{ [key: string]: never; }>;


export type MembersQuery = { me: { id: string }, viewer: { id: string, members: Array<{ userId: string, name: string, email: string, role: Role, since: string, secondFactor: boolean, lastSeenAt: string | null }> } | null };

export type InvitationsQueryVariables = Exact<{ [key: string]: never; }>;


export type InvitationsQuery = { viewer: { id: string, invitations: Array<{ id: string, email: string, role: Role, createdAt: string, expiresAt: string, invitedBy: { name: string } }> | null } | null };

export type MadeKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type MadeKeysQuery = { viewer: { id: string, exports: { nodes: Array<{ id: string, name: string, keys: Array<{ id: string, createdBy: { actorId: string | null } | null }> }> } } | null };

export type MadeTokensQueryVariables = Exact<{ [key: string]: never; }>;


export type MadeTokensQuery = { me: { id: string }, viewer: { id: string, accountTokens: Array<{ id: string, name: string, createdBy: { actorId: string | null } }> | null } | null };

export type InvitationPreviewQueryVariables = Exact<{
  token: string;
}>;


export type InvitationPreviewQuery = { invitation: { accountName: string, email: string, role: Role, invitedBy: string, expiresAt: string, known: boolean } | null };

export type MyAddressQueryVariables = Exact<{ [key: string]: never; }>;


export type MyAddressQuery = { me: { id: string, email: string } };

export type UpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type UpdateAccountMutation = { updateAccount: { account: { id: string, name: string } } };

export type InviteMemberMutationVariables = Exact<{
  input: InviteMemberInput;
}>;


export type InviteMemberMutation = { inviteMember: { link: string, invitation: { id: string, email: string } } };

export type RenewInvitationMutationVariables = Exact<{
  input: RenewInvitationInput;
}>;


export type RenewInvitationMutation = { renewInvitation: { link: string, invitation: { id: string, email: string } } };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { revokeInvitation: { revokedInvitationId: string } };

export type SetMemberRoleMutationVariables = Exact<{
  input: SetMemberRoleInput;
}>;


export type SetMemberRoleMutation = { setMemberRole: { member: { userId: string, role: Role } } };

export type RemoveMemberMutationVariables = Exact<{
  input: RemoveMemberInput;
}>;


export type RemoveMemberMutation = { removeMember: { userId: string } };

export type LeaveAccountMutationVariables = Exact<{ [key: string]: never; }>;


export type LeaveAccountMutation = { leaveAccount: { ok: boolean } };

export type AcceptInvitationMutationVariables = Exact<{
  input: AcceptInvitationInput;
}>;


export type AcceptInvitationMutation = { acceptInvitation: { account: { accountId: string } } };

export type PeopleQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: EndUserFilter | null | undefined;
  orderBy?: EndUserOrder | null | undefined;
}>;


export type PeopleQuery = { viewer: { id: string, endUsers: { nodes: Array<{ userId: string, lastSeenAt: string, messages: number, credits: number, blocked: boolean, dailyMessageLimit: number | null, messagesToday: number, nearestExportLimit: { dailyMessageLimit: number, messagesToday: number } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type PersonQueryVariables = Exact<{
  userId: string;
  from: string;
  since: string;
  to: string;
  timeZone?: string | null | undefined;
}>;


export type PersonQuery = { viewer: { id: string, endUser: { userId: string, firstSeenAt: string, lastSeenAt: string, messages: number, credits: number, conversations: number, blocked: boolean, dailyMessageLimit: number | null, messagesToday: number, nearestExportLimit: { dailyMessageLimit: number, messagesToday: number, export: { id: string, name: string } | null } | null } | null, month: Array<{ messages: number, failed: number, credits: number }>, days: Array<{ start: string | null, messages: number, failed: number, refused: number }> } | null };

export type DeleteEndUserMutationVariables = Exact<{
  input: DeleteEndUserInput;
}>;


export type DeleteEndUserMutation = { deleteEndUser: { deletedCount: number } };

export type BlockEndUserMutationVariables = Exact<{
  input: BlockEndUserInput;
}>;


export type BlockEndUserMutation = { blockEndUser: { endUser: { blocked: boolean } } };

export type UnblockEndUserMutationVariables = Exact<{
  input: UnblockEndUserInput;
}>;


export type UnblockEndUserMutation = { unblockEndUser: { endUser: { blocked: boolean } } };

export type SetEndUserLimitMutationVariables = Exact<{
  input: SetEndUserLimitInput;
}>;


export type SetEndUserLimitMutation = { setEndUserLimit: { endUser: { dailyMessageLimit: number | null } } };

export type SentTurnFragment = (
  { id: string, state: TurnState, version: number | null, errorCode: string | null, requestId: string, model: string, fallback: boolean, credits: number, inputTokens: number | null, outputTokens: number | null, firstTextMs: number | null, durationMs: number | null }
  & { ' $fragmentRefs'?: { 'TurnReplyFragment': TurnReplyFragment;'TurnRatingsFragment': TurnRatingsFragment } }
) & { ' $fragmentName'?: 'SentTurnFragment' };

export type PastTestsQueryVariables = Exact<{
  agentId: string | number;
  first: number;
}>;


export type PastTestsQuery = { agent: { id: string, conversations: { nodes: Array<{ id: string, sessionId: string, preview: string, lastTurnAt: string | null }> } } | null };

export type PlaygroundFollowSubscriptionVariables = Exact<{
  input: SendTestMessageInput;
}>;


export type PlaygroundFollowSubscription = { testMessage:
    | { __typename: 'TestMessageAction' }
    | { __typename: 'TestMessageDelta', text: string }
    | { __typename: 'TestMessageEnded', conversation: { id: string }, turn: { ' $fragmentRefs'?: { 'SentTurnFragment': SentTurnFragment } } }
    | { __typename: 'TestMessageFailed', conversation: { id: string }, turn: { ' $fragmentRefs'?: { 'SentTurnFragment': SentTurnFragment } } }
    | { __typename: 'TestMessageStarted', turnId: string }
   };

export type PlaygroundLatestTurnQueryVariables = Exact<{
  agentId: string | number;
  sessionId: string;
}>;


export type PlaygroundLatestTurnQuery = { agent: { id: string, conversations: { nodes: Array<{ id: string, turns: { nodes: Array<(
            { message: string, actionResults: Array<{ callId: string }> }
            & { ' $fragmentRefs'?: { 'SentTurnFragment': SentTurnFragment } }
          )> } }> } } | null };

export type PlaygroundKeptQueryVariables = Exact<{
  agentId: string | number;
  sessionId: string;
  last: number;
}>;


export type PlaygroundKeptQuery = { agent: { id: string, conversations: { nodes: Array<{ id: string, continuesFrom: { id: string } | null, turns: { nodes: Array<(
            { userId: string | null, variables: Array<{ name: string, value: string }> }
            & { ' $fragmentRefs'?: { 'TurnMessageFragment': TurnMessageFragment;'SentTurnFragment': SentTurnFragment } }
          )> } }> } } | null };

export type RequestCountsQueryVariables = Exact<{
  range: UsageFilter;
  period: UsageFilter;
  interval: UsageInterval;
  timeZone?: string | null | undefined;
}>;


export type RequestCountsQuery = { viewer: { id: string, rejectedRequestDays: number, codes: Array<{ status: string | null, rest: boolean, messages: number, failed: number, refused: number, agent: { id: string } | null }>, bars: Array<{ start: string | null, messages: number, failed: number, refused: number }> } | null };

export type SimilarRequestsQueryVariables = Exact<{
  filter: UsageFilter;
}>;


export type SimilarRequestsQuery = { viewer: { id: string, usage: Array<{ status: string | null, failed: number, refused: number }> } | null };

export type RequestsToSaveQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: RequestFilter | null | undefined;
}>;


export type RequestsToSaveQuery = { viewer: { id: string, createdAt: string, requests: { nodes: Array<{ id: string, requestId: string, at: string, outcome: RequestOutcome, status: number, code: string | null, detail: string | null, clientAddress: string | null, sessionId: string | null, userId: string | null, model: string | null, streamed: boolean, replayed: boolean, credits: number, durationMs: number | null, waitedMs: number | null, modelMs: number | null, agent: { id: string, name: string } | null, export: { id: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type RequestPageFragment = { edges: Array<{ cursor: string, node: { id: string, at: string, outcome: RequestOutcome, status: number, code: string | null, detail: string | null, preview: string | null, sessionId: string | null, userId: string | null, replayed: boolean, credits: number, durationMs: number | null, agent: { id: string, name: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } & { ' $fragmentName'?: 'RequestPageFragment' };

export type RequestsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: RequestFilter | null | undefined;
  ids?: RequestFilter | null | undefined;
  searching: boolean;
}>;


export type RequestsQuery = { viewer: { id: string, requests: { ' $fragmentRefs'?: { 'RequestPageFragment': RequestPageFragment } }, byId?: { ' $fragmentRefs'?: { 'RequestPageFragment': RequestPageFragment } } } | null };

export type RequestQueryVariables = Exact<{
  id: string | number;
}>;


export type RequestQuery = { request: { id: string, requestId: string, at: string, outcome: RequestOutcome, status: number, code: string | null, detail: string | null, clientAddress: string | null, sessionId: string | null, userId: string | null, model: string | null, streamed: boolean, background: boolean, replayed: boolean, credits: number, durationMs: number | null, waitedMs: number | null, modelMs: number | null, agent: { id: string, name: string } | null, export: { id: string, name: string } | null, conversation: { id: string, sessionId: string } | null, turn: (
      { id: string, number: number, version: number | null, providerError: { status: number | null, code: string | null, message: string | null } | null }
      & { ' $fragmentRefs'?: { 'TurnMessageFragment': TurnMessageFragment;'TurnReplyFragment': TurnReplyFragment } }
    ) | null } | null };

export type StartSecondFactorMutationVariables = Exact<{ [key: string]: never; }>;


export type StartSecondFactorMutation = { startSecondFactor: { secret: string, uri: string, qrCode: string } };

export type ConfirmSecondFactorMutationVariables = Exact<{
  input: ConfirmSecondFactorInput;
}>;


export type ConfirmSecondFactorMutation = { confirmSecondFactor: { recoveryCodes: Array<string> } };

export type RemoveSecondFactorMutationVariables = Exact<{
  input: RemoveSecondFactorInput;
}>;


export type RemoveSecondFactorMutation = { removeSecondFactor: { ok: boolean } };

export type RenewRecoveryCodesMutationVariables = Exact<{
  input: RenewRecoveryCodesInput;
}>;


export type RenewRecoveryCodesMutation = { renewRecoveryCodes: { recoveryCodes: Array<string> } };

export type SecondFactorRuleQueryVariables = Exact<{ [key: string]: never; }>;


export type SecondFactorRuleQuery = { me: { id: string, secondFactor: boolean }, viewer: { id: string, requireSecondFactor: boolean } | null };

export type SetSecondFactorRuleMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type SetSecondFactorRuleMutation = { updateAccount: { account: { id: string, requireSecondFactor: boolean } } };

export type SignInsQueryVariables = Exact<{ [key: string]: never; }>;


export type SignInsQuery = { viewer: { id: string, signIns: Array<{ id: string, browser: string, address: string, createdAt: string, lastUsedAt: string, current: boolean }> } | null };

export type EventsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EventsQuery = { me: { id: string, events: { nodes: Array<{ id: string, at: string, action: string, address: string | null, browser: string | null, actor: { kind: ActorKind, name: string }, details: Array<{ field: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type AddressQueryVariables = Exact<{ [key: string]: never; }>;


export type AddressQuery = { me: { id: string, email: string, emailVerified: boolean } };

export type RequestEmailVerificationMutationVariables = Exact<{ [key: string]: never; }>;


export type RequestEmailVerificationMutation = { requestEmailVerification: { ok: boolean } };

export type ChangeEmailMutationVariables = Exact<{
  input: ChangeEmailInput;
}>;


export type ChangeEmailMutation = { changeEmail: { ok: boolean } };

export type EndSignInMutationVariables = Exact<{
  input: EndSignInInput;
}>;


export type EndSignInMutation = { endSignIn: { endedSignInId: string } };

export type SignOutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutEverywhereMutation = { signOutEverywhere: { ok: boolean } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { account: { id: string } | null } };

export type UpdateUserMutationVariables = Exact<{
  input: UpdateUserInput;
}>;


export type UpdateUserMutation = { updateUser: { user: { id: string, name: string } } };

export type NotificationsQueryVariables = Exact<{ [key: string]: never; }>;


export type NotificationsQuery = { viewer: { id: string, viewerRole: Role, lowCreditsAt: number | null } | null };

export type KeptDataQueryVariables = Exact<{ [key: string]: never; }>;


export type KeptDataQuery = { viewer: { id: string, rejectedRequestDays: number, retentionDays: number | null, serviceRetentionDays: number | null } | null };

export type RetentionPreviewQueryVariables = Exact<{
  days: number;
}>;


export type RetentionPreviewQuery = { viewer: { id: string, retentionPreview: { conversations: number, more: boolean } | null } | null };

export type SetRetentionMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type SetRetentionMutation = { updateAccount: { account: { id: string } } };

export type CreateAccountDownloadMutationVariables = Exact<{ [key: string]: never; }>;


export type CreateAccountDownloadMutation = { createAccountDownload: { url: string } };

export type SetLowCreditsMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type SetLowCreditsMutation = { updateAccount: { account: { id: string } } };

export type DeleteAccountMutationVariables = Exact<{
  input: DeleteAccountInput;
}>;


export type DeleteAccountMutation = { deleteAccount: { ok: boolean } };

export type FoundQueryVariables = Exact<{
  userId: string;
  people?: EndUserFilter | null | undefined;
  sessions?: ConversationFilter | null | undefined;
  requests?: RequestFilter | null | undefined;
}>;


export type FoundQuery = { viewer: { id: string, person: { userId: string } | null, people: { nodes: Array<{ userId: string }> }, sessions: { nodes: Array<{ id: string, sessionId: string, agent: { id: string, name: string } }> }, requests: { nodes: Array<{ id: string }> } } | null };

export type TestCasesQueryVariables = Exact<{
  agentId: string | number;
  first: number;
  after?: string | null | undefined;
  search?: string | null | undefined;
}>;


export type TestCasesQuery = { agent: { id: string, testCases: { nodes: Array<{ id: string, number: number, document: string, newestOutcome: { passes: number, repeats: number, passed: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type TestCaseQueryVariables = Exact<{
  id: string | number;
}>;


export type TestCaseQuery = { testCase: { id: string, number: number, document: string, conversation: { id: string } | null } | null };

export type TestCaseFromQueryVariables = Exact<{
  turnId: string | number;
}>;


export type TestCaseFromQuery = { testCaseFrom: string };

export type CreateTestCaseMutationVariables = Exact<{
  input: CreateTestCaseInput;
}>;


export type CreateTestCaseMutation = { createTestCase: { testCase: { id: string } } };

export type UpdateTestCaseMutationVariables = Exact<{
  input: UpdateTestCaseInput;
}>;


export type UpdateTestCaseMutation = { updateTestCase: { testCase: { id: string } } };

export type DeleteTestCasesMutationVariables = Exact<{
  input: DeleteTestCasesInput;
}>;


export type DeleteTestCasesMutation = { deleteTestCases: { ids: Array<string> } };

export type ImportTestCasesMutationVariables = Exact<{
  input: ImportTestCasesInput;
}>;


export type ImportTestCasesMutation = { importTestCases: { imported: number, skipped: Array<{ line: number, message: string }> } };

export type TestRunsQueryVariables = Exact<{
  agentId: string | number;
  first: number;
  after?: string | null | undefined;
}>;


export type TestRunsQuery = { agent: { id: string, testRuns: { nodes: Array<{ id: string, number: number, model: string | null, whole: boolean, state: TestRunState, stopReason: TestStopReason | null, repeats: number, attempts: number, done: number, passed: number, credits: number, createdAt: string, version: { number: number } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type TestRunQueryVariables = Exact<{
  id: string | number;
}>;


export type TestRunQuery = { testRun: { id: string, number: number, model: string | null, state: TestRunState, stopReason: TestStopReason | null, repeats: number, neededPasses: number, attempts: number, done: number, passed: number, budget: number, credits: number, createdAt: string, agent: { id: string }, version: { number: number } | null, startedBy: { name: string } } | null };

export type TestOutcomesQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
  against?: string | number | null | undefined;
}>;


export type TestOutcomesQuery = { testRun: { id: string, done: number, outcomes: { nodes: Array<{ caseNumber: number, passes: number, repeats: number, passed: boolean, change: TestChange | null, case: { id: string, document: string } | null, before: { passes: number, repeats: number, passed: boolean } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type TestResultsQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
  caseNumber?: number | null | undefined;
}>;


export type TestResultsQuery = { testRun: { id: string, results: { nodes: Array<{ caseNumber: number, repeat: number, passed: boolean, errorCode: string | null, credits: number, durationMs: number | null, verdicts: Array<{ check: number, type: string, passed: boolean, judgeTurn: { id: string, reply: string | null } | null }>, turn: { id: string, number: number, conversationId: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type TestRunPriceQueryVariables = Exact<{
  input: StartTestRunInput;
}>;


export type TestRunPriceQuery = { testRunPrice: { most: number, exact: boolean, attempts: number } };

export type StartTestRunMutationVariables = Exact<{
  input: StartTestRunInput;
}>;


export type StartTestRunMutation = { startTestRun: { testRun: { id: string } } };

export type StopTestRunMutationVariables = Exact<{
  input: StopTestRunInput;
}>;


export type StopTestRunMutation = { stopTestRun: { testRun: { id: string, state: TestRunState, stopReason: TestStopReason | null } } };

export type DeleteTestRunMutationVariables = Exact<{
  input: DeleteTestRunInput;
}>;


export type DeleteTestRunMutation = { deleteTestRun: { deletedTestRunId: string } };

export type TestSettingsQueryVariables = Exact<{
  agentId: string | number;
}>;


export type TestSettingsQuery = { agent: { id: string, tests: { gate: TestGate, repeats: number, neededPasses: number, tokenCreditsPerDay: number, judge: { id: string, name: string } | null } } | null };

export type UpdateTestSettingsMutationVariables = Exact<{
  input: UpdateTestSettingsInput;
}>;


export type UpdateTestSettingsMutation = { updateTestSettings: { agent: { id: string } } };

export type UsagePageQueryVariables = Exact<{
  filter: UsageFilter;
  api: UsageFilter;
  before: UsageFilter;
  whole: UsageFilter;
  inMonth: boolean;
  split: Array<UsageDimension> | UsageDimension;
  interval: UsageInterval;
  timeZone?: string | null | undefined;
}>;


export type UsagePageQuery = { viewer: { id: string, rows: Array<{ agentName: string | null, exportName: string | null, model: string | null, userId: string | null, status: string | null, rest: boolean, messages: number, failed: number, refused: number, credits: number, inputTokens: number, outputTokens: number, durationP50Ms: number | null, durationP95Ms: number | null, agent: { id: string, name: string } | null, export: { id: string, name: string } | null }>, requests: Array<{ agentName: string | null, exportName: string | null, model: string | null, userId: string | null, status: string | null, rest: boolean, messages: number, agent: { id: string } | null, export: { id: string } | null }>, total: Array<{ messages: number, failed: number, refused: number, credits: number, inputTokens: number, outputTokens: number, durationP50Ms: number | null, durationP95Ms: number | null }>, before: Array<{ messages: number, failed: number, refused: number, credits: number, inputTokens: number, outputTokens: number, durationP50Ms: number | null }>, whole?: Array<{ messages: number, failed: number, refused: number, credits: number, inputTokens: number, outputTokens: number, durationP50Ms: number | null }>, points: Array<{ start: string | null, agentName: string | null, exportName: string | null, model: string | null, userId: string | null, status: string | null, rest: boolean, messages: number, failed: number, refused: number, credits: number, inputTokens: number, outputTokens: number, agent: { id: string, name: string } | null, export: { id: string, name: string } | null }>, times: Array<{ start: string | null, messages: number, credits: number, durationP50Ms: number | null, durationP95Ms: number | null }> } | null };

export type DraftContentFragment = { instructions: string, temperature: number | null, maxOutputTokens: number | null, contextTurns: number, replySchema: string | null, actions: Array<{ name: string, description: string, parameters: string }>, variables: Array<{ name: string, description: string, required: boolean, defaultValue: string | null }>, model: { name: string, label: string } | null, fallbackModel: { name: string, label: string } | null } & { ' $fragmentName'?: 'DraftContentFragment' };

export type VersionContentFragment = { number: number, instructions: string, modelName: string, temperature: number | null, maxOutputTokens: number | null, contextTurns: number, replySchema: string | null, fallbackModelName: string | null, knowledge: Array<{ id: string, name: string, inDraft: boolean }>, actions: Array<{ name: string, description: string, parameters: string }>, variables: Array<{ name: string, description: string, required: boolean, defaultValue: string | null }>, model: { name: string, label: string } | null, fallbackModel: { name: string, label: string } | null } & { ' $fragmentName'?: 'VersionContentFragment' };

export type PublishTestsQueryVariables = Exact<{
  agentId: string | number;
}>;


export type PublishTestsQuery = { agent: { id: string, tests: { gate: TestGate, standing: TestStanding }, testRuns: { nodes: Array<{ id: string, number: number, model: string | null, whole: boolean, state: TestRunState, repeats: number, attempts: number, passed: number, version: { number: number } | null }> } } | null };

export type ReviewQueryVariables = Exact<{
  id: string | number;
}>;


export type ReviewQuery = { agent: (
    { id: string, name: string, state: AgentState, missing: Array<AgentRequirement>, updatedAt: string, hasUnpublishedChanges: boolean, knowledge: { nodes: Array<{ id: string, name: string, state: KnowledgeState, inDraft: boolean, inVersions: Array<number> }> }, model: { sandbox: boolean, creditsPerMessage: number, creditsWithKnowledge: number | null } | null, fallbackModel: { creditsPerMessage: number, creditsWithKnowledge: number | null } | null, publishedVersion: (
      { model: { sandbox: boolean, creditsPerMessage: number, creditsWithKnowledge: number | null } | null }
      & { ' $fragmentRefs'?: { 'VersionContentFragment': VersionContentFragment } }
    ) | null, exports: Array<{ id: string, name: string, version: number | null }> }
    & { ' $fragmentRefs'?: { 'DraftContentFragment': DraftContentFragment } }
  ) | null };

export type VersionsQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type VersionsQuery = { agent: { id: string, versions: { edges: Array<{ cursor: string, node: { number: number, createdAt: string, note: string, model: { name: string, label: string, creditsPerMessage: number, creditsWithKnowledge: number | null, available: boolean } | null, publishedBy: { name: string } | null, pinnedBy: Array<{ id: string, name: string }>, ratings: { up: number, down: number } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type VersionQueryVariables = Exact<{
  id: string | number;
  number: number;
}>;


export type VersionQuery = { agent: { id: string, version: { ' $fragmentRefs'?: { 'VersionContentFragment': VersionContentFragment } } | null } | null };

export type VersionContentsQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type VersionContentsQuery = { agent: { id: string, versions: { nodes: Array<{ ' $fragmentRefs'?: { 'VersionContentFragment': VersionContentFragment } }> } } | null };

export type VersionGivenQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type VersionGivenQuery = { agent: { id: string, versions: { nodes: Array<{ number: number, knowledge: Array<{ id: string }>, variables: Array<{ name: string, description: string, required: boolean, defaultValue: string | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type VersionSuccessQueryVariables = Exact<{
  agentId: string | number;
  from: string;
  to: string;
}>;


export type VersionSuccessQuery = { viewer: { id: string, usage: Array<{ version: number | null, messages: number, failed: number }> } | null };

export type PinApiExportMutationVariables = Exact<{
  input: UpdateApiExportInput;
}>;


export type PinApiExportMutation = { updateApiExport: { export: { id: string, version: number | null } } };

export type PublishAgentMutationVariables = Exact<{
  input: PublishAgentInput;
}>;


export type PublishAgentMutation = { publishAgent: { version: { number: number }, notReady: Array<{ id: string, name: string }> } };

export type RestoreAgentVersionMutationVariables = Exact<{
  input: RestoreAgentVersionInput;
}>;


export type RestoreAgentVersionMutation = { restoreAgentVersion: { agent: { id: string, updatedAt: string } } };

export type DiscardAgentChangesMutationVariables = Exact<{
  input: DiscardAgentChangesInput;
}>;


export type DiscardAgentChangesMutation = { discardAgentChanges: { agent: { id: string } } };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { updateWebhook: { webhook: { id: string } } };

export type DeleteWebhookMutationVariables = Exact<{
  input: DeleteWebhookInput;
}>;


export type DeleteWebhookMutation = { deleteWebhook: { deletedWebhookId: string } };

export type TestWebhookMutationVariables = Exact<{
  input: TestWebhookInput;
}>;


export type TestWebhookMutation = { testWebhook: { delivery: { id: string } } };

export type RotateWebhookSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, webhook: { id: string, url: string } } };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook: { secret: string, webhook: { id: string, url: string } } };

export type WebhookDeliveryQueryVariables = Exact<{
  id: string | number;
}>;


export type WebhookDeliveryQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport' }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource' }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn' }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery', id: string, body: string, createdAt: string, tries: number }
   | null };

export type RetryWebhookDeliveryMutationVariables = Exact<{
  input: RetryWebhookDeliveryInput;
}>;


export type RetryWebhookDeliveryMutation = { retryWebhookDelivery: { delivery: { id: string } } };

export type WebhookDeliveriesQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
  failed?: boolean | null | undefined;
}>;


export type WebhookDeliveriesQuery = { node:
    | { __typename: 'Account' }
    | { __typename: 'AccountToken' }
    | { __typename: 'Agent' }
    | { __typename: 'AgentVersion' }
    | { __typename: 'ApiExport' }
    | { __typename: 'ApiKey' }
    | { __typename: 'AuditEntry' }
    | { __typename: 'Conversation' }
    | { __typename: 'CreditEntry' }
    | { __typename: 'Invitation' }
    | { __typename: 'KnowledgeSource' }
    | { __typename: 'Request' }
    | { __typename: 'SignIn' }
    | { __typename: 'TestCase' }
    | { __typename: 'TestRun' }
    | { __typename: 'Turn' }
    | { __typename: 'User' }
    | { __typename: 'Webhook', id: string, deliveries: { nodes: Array<{ id: string, event: WebhookEvent, status: number | null, tookMs: number | null, error: WebhookError | null, sentAt: string | null, nextTryAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } }
    | { __typename: 'WebhookDelivery' }
   | null };

export type WebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksQuery = { serviceInfo: { ownerWebhooks: boolean }, viewer: { id: string, webhooks: Array<{ id: string, url: string, events: Array<WebhookEvent>, state: WebhookState, createdAt: string, failingSince: string | null, previousSecretUntil: string | null, dropped: number, createdBy: { name: string } | null }> | null } | null };

export type MembershipsQueryVariables = Exact<{ [key: string]: never; }>;


export type MembershipsQuery = { me: { id: string, memberships: Array<{ account: { accountId: string } }> } };

export type RenewAccessMutationVariables = Exact<{ [key: string]: never; }>;


export type RenewAccessMutation = { renewAccess: { accessToken: string, expiresAt: string } };

export type AgentChoicesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AgentChoicesQuery = { agents: { nodes: Array<{ id: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ExportChoicesQueryVariables = Exact<{
  agentId?: string | number | null | undefined;
  after?: string | null | undefined;
}>;


export type ExportChoicesQuery = { viewer: { id: string, exports: { nodes: Array<{ id: string, name: string, state: ExportState, agent: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const DraftContentFragmentDoc = new TypedDocumentString(`
    fragment DraftContent on Agent {
  instructions
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModel {
    name
    label
  }
}
    `, {"fragmentName":"DraftContent"}) as unknown as TypedDocumentString<DraftContentFragment, unknown>;
export const EditedAgentFragmentDoc = new TypedDocumentString(`
    fragment EditedAgent on Agent {
  id
  name
  description
  ...DraftContent
  state
  missing
  hasUnpublishedChanges
  updatedAt
  lastUsedAt
  publishedVersion {
    number
  }
  model {
    creditsPerMessage
    creditsWithKnowledge
    available
    sandbox
  }
  fallbackModel {
    creditsPerMessage
    creditsWithKnowledge
    available
  }
  exports {
    id
    version
  }
  knowledgeUse {
    mode
  }
}
    fragment DraftContent on Agent {
  instructions
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModel {
    name
    label
  }
}`, {"fragmentName":"EditedAgent"}) as unknown as TypedDocumentString<EditedAgentFragment, unknown>;
export const SavedTurnsFragmentDoc = new TypedDocumentString(`
    fragment SavedTurns on TurnConnection {
  nodes {
    id
    number
    createdAt
    state
    errorCode
    message
    actionResults {
      callId
      name
      result
      error
    }
    reply
    actionCalls {
      id
      name
      arguments
      state
    }
    output
    misfit
    finishReason
    requestId
    version
    userId
    variables {
      name
      value
    }
    model
    fallback
    credits
    ratings {
      kind
      value
      note
      ratedBy {
        name
      }
      ratedAt
    }
    inputTokens
    outputTokens
    waitedMs
    firstTextMs
    durationMs
    export {
      id
      name
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    `, {"fragmentName":"SavedTurns"}) as unknown as TypedDocumentString<SavedTurnsFragment, unknown>;
export const TurnMessageFragmentDoc = new TypedDocumentString(`
    fragment TurnMessage on Turn {
  message
  actionResults {
    callId
    name
    result
    error
  }
}
    `, {"fragmentName":"TurnMessage"}) as unknown as TypedDocumentString<TurnMessageFragment, unknown>;
export const CalledExportFragmentDoc = new TypedDocumentString(`
    fragment CalledExport on ApiExport {
  id
  state
  requireUserId
  userDailyMessageLimit
  pinnedVersion {
    variables {
      name
      required
    }
    actions {
      name
    }
    replySchema
  }
  agent {
    id
    name
    publishedVersion {
      variables {
        name
        required
      }
      actions {
        name
      }
      replySchema
    }
  }
}
    `, {"fragmentName":"CalledExport"}) as unknown as TypedDocumentString<CalledExportFragment, unknown>;
export const TurnReplyFragmentDoc = new TypedDocumentString(`
    fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}
    `, {"fragmentName":"TurnReply"}) as unknown as TypedDocumentString<TurnReplyFragment, unknown>;
export const TurnRatingsFragmentDoc = new TypedDocumentString(`
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}
    `, {"fragmentName":"TurnRatings"}) as unknown as TypedDocumentString<TurnRatingsFragment, unknown>;
export const SentTurnFragmentDoc = new TypedDocumentString(`
    fragment SentTurn on Turn {
  id
  ...TurnReply
  ...TurnRatings
  state
  version
  errorCode
  requestId
  model
  fallback
  credits
  inputTokens
  outputTokens
  firstTextMs
  durationMs
}
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}
fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}`, {"fragmentName":"SentTurn"}) as unknown as TypedDocumentString<SentTurnFragment, unknown>;
export const RequestPageFragmentDoc = new TypedDocumentString(`
    fragment RequestPage on RequestConnection {
  edges {
    cursor
    node {
      id
      at
      outcome
      status
      code
      detail
      preview
      agent {
        id
        name
      }
      sessionId
      userId
      replayed
      credits
      durationMs
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}
    `, {"fragmentName":"RequestPage"}) as unknown as TypedDocumentString<RequestPageFragment, unknown>;
export const VersionContentFragmentDoc = new TypedDocumentString(`
    fragment VersionContent on AgentVersion {
  number
  instructions
  modelName
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  knowledge {
    id
    name
    inDraft
  }
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModelName
  fallbackModel {
    name
    label
  }
}
    `, {"fragmentName":"VersionContent"}) as unknown as TypedDocumentString<VersionContentFragment, unknown>;
export const CreateAccountDocument = new TypedDocumentString(`
    mutation CreateAccount($input: CreateAccountInput!) {
  createAccount(input: $input) {
    account {
      accountId
    }
  }
}
    `) as unknown as TypedDocumentString<CreateAccountMutation, CreateAccountMutationVariables>;
export const MyAccountsDocument = new TypedDocumentString(`
    query MyAccounts {
  me {
    id
    memberships {
      account {
        accountId
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MyAccountsQuery, MyAccountsQueryVariables>;
export const ImportAgentDocument = new TypedDocumentString(`
    mutation ImportAgent($input: ImportAgentInput!) {
  importAgent(input: $input) {
    agent {
      id
      name
    }
    notes {
      line
      path
      message
    }
    moreNotes
  }
}
    `) as unknown as TypedDocumentString<ImportAgentMutation, ImportAgentMutationVariables>;
export const AgentFileHeadDocument = new TypedDocumentString(`
    query AgentFileHead($id: ID!) {
  agent(id: $id) {
    id
    fileHead
  }
}
    `) as unknown as TypedDocumentString<AgentFileHeadQuery, AgentFileHeadQueryVariables>;
export const AgentFileSourcesDocument = new TypedDocumentString(`
    query AgentFileSources($id: ID!, $first: Int!, $after: String, $length: Int!) {
  agent(id: $id) {
    id
    knowledge(first: $first, after: $after) {
      nodes {
        id
        kind
        name
        state
        pages
        characters
        inDraft
        question
        text(offset: 0, length: $length)
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AgentFileSourcesQuery, AgentFileSourcesQueryVariables>;
export const KnowledgeUseDocument = new TypedDocumentString(`
    query KnowledgeUse($id: ID!) {
  agent(id: $id) {
    id
    knowledgeUse {
      sources
      maxSources
      passages
      maxPassages
      bytes
      maxBytes
      mode
    }
  }
}
    `) as unknown as TypedDocumentString<KnowledgeUseQuery, KnowledgeUseQueryVariables>;
export const KnowledgeDocument = new TypedDocumentString(`
    query Knowledge($id: ID!, $first: Int, $after: String) {
  agent(id: $id) {
    id
    knowledge(first: $first, after: $after) {
      nodes {
        id
        kind
        name
        state
        reason
        size
        characters
        passages
        pages
        createdAt
        inDraft
        inVersions
        notes {
          code
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<KnowledgeQuery, KnowledgeQueryVariables>;
export const KnowledgeSourceDocument = new TypedDocumentString(`
    query KnowledgeSource($id: ID!) {
  node(id: $id) {
    __typename
    ... on KnowledgeSource {
      id
      kind
      name
      state
      reason
      size
      characters
      passages
      pages
      createdAt
      inDraft
      inVersions
      question
      encoding
      notes {
        code
        message
        sample
        encoding
      }
    }
  }
}
    `) as unknown as TypedDocumentString<KnowledgeSourceQuery, KnowledgeSourceQueryVariables>;
export const KnowledgeTextDocument = new TypedDocumentString(`
    query KnowledgeText($id: ID!, $offset: Int!, $length: Int!) {
  node(id: $id) {
    __typename
    ... on KnowledgeSource {
      id
      characters
      text(offset: $offset, length: $length)
    }
  }
}
    `) as unknown as TypedDocumentString<KnowledgeTextQuery, KnowledgeTextQueryVariables>;
export const SearchKnowledgeDocument = new TypedDocumentString(`
    query SearchKnowledge($agentId: ID!, $message: String!) {
  searchKnowledge(agentId: $agentId, message: $message) {
    source {
      id
      name
    }
    heading
    page
    text
    score
    words
  }
}
    `) as unknown as TypedDocumentString<SearchKnowledgeQuery, SearchKnowledgeQueryVariables>;
export const AddKnowledgeTextDocument = new TypedDocumentString(`
    mutation AddKnowledgeText($input: AddKnowledgeTextInput!) {
  addKnowledgeText(input: $input) {
    source {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<AddKnowledgeTextMutation, AddKnowledgeTextMutationVariables>;
export const AddKnowledgeAnswerDocument = new TypedDocumentString(`
    mutation AddKnowledgeAnswer($input: AddKnowledgeAnswerInput!) {
  addKnowledgeAnswer(input: $input) {
    source {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<AddKnowledgeAnswerMutation, AddKnowledgeAnswerMutationVariables>;
export const ImportKnowledgeAnswersDocument = new TypedDocumentString(`
    mutation ImportKnowledgeAnswers($input: ImportKnowledgeAnswersInput!) {
  importKnowledgeAnswers(input: $input) {
    header
    rows {
      row
      questions
      answer
      problem
    }
    added
    notes {
      code
      message
      sample
      encoding
    }
  }
}
    `) as unknown as TypedDocumentString<ImportKnowledgeAnswersMutation, ImportKnowledgeAnswersMutationVariables>;
export const AddKnowledgeFileDocument = new TypedDocumentString(`
    mutation AddKnowledgeFile($input: AddKnowledgeFileInput!) {
  addKnowledgeFile(input: $input) {
    source {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<AddKnowledgeFileMutation, AddKnowledgeFileMutationVariables>;
export const RetryKnowledgeSourceDocument = new TypedDocumentString(`
    mutation RetryKnowledgeSource($input: RetryKnowledgeSourceInput!) {
  retryKnowledgeSource(input: $input) {
    source {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RetryKnowledgeSourceMutation, RetryKnowledgeSourceMutationVariables>;
export const ReplaceKnowledgeSourceDocument = new TypedDocumentString(`
    mutation ReplaceKnowledgeSource($input: ReplaceKnowledgeSourceInput!) {
  replaceKnowledgeSource(input: $input) {
    source {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<ReplaceKnowledgeSourceMutation, ReplaceKnowledgeSourceMutationVariables>;
export const RemoveKnowledgeSourceDocument = new TypedDocumentString(`
    mutation RemoveKnowledgeSource($input: RemoveKnowledgeSourceInput!) {
  removeKnowledgeSource(input: $input) {
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveKnowledgeSourceMutation, RemoveKnowledgeSourceMutationVariables>;
export const DeleteKnowledgeSourceDocument = new TypedDocumentString(`
    mutation DeleteKnowledgeSource($input: DeleteKnowledgeSourceInput!) {
  deleteKnowledgeSource(input: $input) {
    deletedKnowledgeSourceId
  }
}
    `) as unknown as TypedDocumentString<DeleteKnowledgeSourceMutation, DeleteKnowledgeSourceMutationVariables>;
export const DeleteUnusedKnowledgeDocument = new TypedDocumentString(`
    mutation DeleteUnusedKnowledge($input: DeleteUnusedKnowledgeInput!) {
  deleteUnusedKnowledge(input: $input) {
    deleted
  }
}
    `) as unknown as TypedDocumentString<DeleteUnusedKnowledgeMutation, DeleteUnusedKnowledgeMutationVariables>;
export const AgentFiguresDocument = new TypedDocumentString(`
    query AgentFigures($from: DateTime!, $month: DateTime!, $to: DateTime!) {
  viewer {
    id
    day: usage(filter: {from: $from, to: $to}, groupBy: [AGENT]) {
      agent {
        id
      }
      messages
      failed
    }
    month: usage(filter: {from: $month, to: $to}, groupBy: [AGENT]) {
      agent {
        id
      }
      credits
    }
  }
}
    `) as unknown as TypedDocumentString<AgentFiguresQuery, AgentFiguresQueryVariables>;
export const AgentsDocument = new TypedDocumentString(`
    query Agents($first: Int, $after: String, $filter: AgentFilter, $orderBy: AgentOrder) {
  agents(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes {
      id
      name
      description
      state
      hasUnpublishedChanges
      lastUsedAt
      publishedVersion {
        number
      }
      model {
        name
        label
      }
      exports {
        id
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    totalCount
  }
}
    `) as unknown as TypedDocumentString<AgentsQuery, AgentsQueryVariables>;
export const ModelsDocument = new TypedDocumentString(`
    query Models {
  models {
    name
    label
    provider
    creditsPerMessage
    creditsWithKnowledge
    available
    contextWindow
    sandbox
  }
}
    `) as unknown as TypedDocumentString<ModelsQuery, ModelsQueryVariables>;
export const CreateAgentDocument = new TypedDocumentString(`
    mutation CreateAgent($input: CreateAgentInput!) {
  createAgent(input: $input) {
    agent {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CreateAgentMutation, CreateAgentMutationVariables>;
export const DuplicateAgentDocument = new TypedDocumentString(`
    mutation DuplicateAgent($input: DuplicateAgentInput!) {
  duplicateAgent(input: $input) {
    agent {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<DuplicateAgentMutation, DuplicateAgentMutationVariables>;
export const AgentDocument = new TypedDocumentString(`
    query Agent($id: ID!) {
  agent(id: $id) {
    ...EditedAgent
  }
}
    fragment EditedAgent on Agent {
  id
  name
  description
  ...DraftContent
  state
  missing
  hasUnpublishedChanges
  updatedAt
  lastUsedAt
  publishedVersion {
    number
  }
  model {
    creditsPerMessage
    creditsWithKnowledge
    available
    sandbox
  }
  fallbackModel {
    creditsPerMessage
    creditsWithKnowledge
    available
  }
  exports {
    id
    version
  }
  knowledgeUse {
    mode
  }
}
fragment DraftContent on Agent {
  instructions
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModel {
    name
    label
  }
}`) as unknown as TypedDocumentString<AgentQuery, AgentQueryVariables>;
export const UpdateAgentDocument = new TypedDocumentString(`
    mutation UpdateAgent($input: UpdateAgentInput!) {
  updateAgent(input: $input) {
    agent {
      ...EditedAgent
    }
  }
}
    fragment EditedAgent on Agent {
  id
  name
  description
  ...DraftContent
  state
  missing
  hasUnpublishedChanges
  updatedAt
  lastUsedAt
  publishedVersion {
    number
  }
  model {
    creditsPerMessage
    creditsWithKnowledge
    available
    sandbox
  }
  fallbackModel {
    creditsPerMessage
    creditsWithKnowledge
    available
  }
  exports {
    id
    version
  }
  knowledgeUse {
    mode
  }
}
fragment DraftContent on Agent {
  instructions
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModel {
    name
    label
  }
}`) as unknown as TypedDocumentString<UpdateAgentMutation, UpdateAgentMutationVariables>;
export const ExampleReplyDocument = new TypedDocumentString(`
    query ExampleReply($schema: String!) {
  exampleReply(schema: $schema)
  schemaNotes(schema: $schema) {
    path
  }
}
    `) as unknown as TypedDocumentString<ExampleReplyQuery, ExampleReplyQueryVariables>;
export const UnpublishAgentDocument = new TypedDocumentString(`
    mutation UnpublishAgent($input: UnpublishAgentInput!) {
  unpublishAgent(input: $input) {
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<UnpublishAgentMutation, UnpublishAgentMutationVariables>;
export const DeleteAgentDocument = new TypedDocumentString(`
    mutation DeleteAgent($input: DeleteAgentInput!) {
  deleteAgent(input: $input) {
    deletedAgentId
  }
}
    `) as unknown as TypedDocumentString<DeleteAgentMutation, DeleteAgentMutationVariables>;
export const ReplaceCandidatesDocument = new TypedDocumentString(`
    query ReplaceCandidates($first: Int, $after: String, $filter: AgentFilter) {
  agents(first: $first, after: $after, filter: $filter) {
    nodes {
      id
      name
      state
      missing
      instructions
      updatedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    totalCount
  }
}
    `) as unknown as TypedDocumentString<ReplaceCandidatesQuery, ReplaceCandidatesQueryVariables>;
export const ReplaceInstructionsDocument = new TypedDocumentString(`
    mutation ReplaceInstructions($input: UpdateAgentInput!) {
  updateAgent(input: $input) {
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<ReplaceInstructionsMutation, ReplaceInstructionsMutationVariables>;
export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($first: Int, $after: String, $filter: AuditFilter) {
  viewer {
    id
    createdAt
    auditLog(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        at
        actor {
          kind
          actorId
          name
        }
        action
        subject
        details {
          field
        }
        address
        browser
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const ConfirmPasswordDocument = new TypedDocumentString(`
    mutation ConfirmPassword($input: ConfirmPasswordInput!) {
  confirmPassword(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<ConfirmPasswordMutation, ConfirmPasswordMutationVariables>;
export const SignInDocument = new TypedDocumentString(`
    mutation SignIn($input: SignInInput!) {
  signIn(input: $input) {
    accessToken
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<SignInMutation, SignInMutationVariables>;
export const SignUpDocument = new TypedDocumentString(`
    mutation SignUp($input: SignUpInput!) {
  signUp(input: $input) {
    accessToken
    expiresAt
    mailSent
  }
}
    `) as unknown as TypedDocumentString<SignUpMutation, SignUpMutationVariables>;
export const SignOutDocument = new TypedDocumentString(`
    mutation SignOut {
  signOut {
    ok
  }
}
    `) as unknown as TypedDocumentString<SignOutMutation, SignOutMutationVariables>;
export const RequestPasswordResetDocument = new TypedDocumentString(`
    mutation RequestPasswordReset($input: RequestPasswordResetInput!) {
  requestPasswordReset(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>;
export const ResetPasswordDocument = new TypedDocumentString(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    ok
    leftBehind {
      members
      keys {
        exportName
        createdAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const PasswordResetDocument = new TypedDocumentString(`
    query PasswordReset($token: String!) {
  passwordReset(token: $token)
}
    `) as unknown as TypedDocumentString<PasswordResetQuery, PasswordResetQueryVariables>;
export const VerifyEmailDocument = new TypedDocumentString(`
    mutation VerifyEmail($input: VerifyEmailInput!) {
  verifyEmail(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<VerifyEmailMutation, VerifyEmailMutationVariables>;
export const UndoEmailChangeDocument = new TypedDocumentString(`
    mutation UndoEmailChange($input: UndoEmailChangeInput!) {
  undoEmailChange(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<UndoEmailChangeMutation, UndoEmailChangeMutationVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  me {
    id
    name
    email
    memberships {
      account {
        accountId
        name
      }
      role
    }
  }
  viewer {
    id
    name
    viewerRole
    creditBalance
    creditsHeld
    creditsAvailable
    lowCreditsAt
  }
  serviceInfo {
    signUpOpen
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const SecondFactorDocument = new TypedDocumentString(`
    query SecondFactor {
  me {
    id
    emailVerified
    secondFactor
    recoveryCodesLeft
  }
}
    `) as unknown as TypedDocumentString<SecondFactorQuery, SecondFactorQueryVariables>;
export const ServiceInfoDocument = new TypedDocumentString(`
    query ServiceInfo {
  serviceInfo {
    version
    baseUrl
    signUpOpen
    creditsHelp
    supportContact
    mail
    startingCredits
    bridgeUrl
  }
}
    `) as unknown as TypedDocumentString<ServiceInfoQuery, ServiceInfoQueryVariables>;
export const ConversationsToSaveDocument = new TypedDocumentString(`
    query ConversationsToSave($first: Int, $after: String, $filter: ConversationFilter, $turns: Int) {
  viewer {
    id
    createdAt
    conversations(first: $first, after: $after, filter: $filter) {
      searchedTo
      nodes {
        id
        sessionId
        source
        lastTurnAt
        agent {
          id
          name
        }
        turns(first: $turns) {
          ...SavedTurns
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment SavedTurns on TurnConnection {
  nodes {
    id
    number
    createdAt
    state
    errorCode
    message
    actionResults {
      callId
      name
      result
      error
    }
    reply
    actionCalls {
      id
      name
      arguments
      state
    }
    output
    misfit
    finishReason
    requestId
    version
    userId
    variables {
      name
      value
    }
    model
    fallback
    credits
    ratings {
      kind
      value
      note
      ratedBy {
        name
      }
      ratedAt
    }
    inputTokens
    outputTokens
    waitedMs
    firstTextMs
    durationMs
    export {
      id
      name
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<ConversationsToSaveQuery, ConversationsToSaveQueryVariables>;
export const FurtherTurnsDocument = new TypedDocumentString(`
    query FurtherTurns($id: ID!, $turns: Int, $after: String) {
  conversation(id: $id) {
    id
    turns(first: $turns, after: $after) {
      ...SavedTurns
    }
  }
}
    fragment SavedTurns on TurnConnection {
  nodes {
    id
    number
    createdAt
    state
    errorCode
    message
    actionResults {
      callId
      name
      result
      error
    }
    reply
    actionCalls {
      id
      name
      arguments
      state
    }
    output
    misfit
    finishReason
    requestId
    version
    userId
    variables {
      name
      value
    }
    model
    fallback
    credits
    ratings {
      kind
      value
      note
      ratedBy {
        name
      }
      ratedAt
    }
    inputTokens
    outputTokens
    waitedMs
    firstTextMs
    durationMs
    export {
      id
      name
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<FurtherTurnsQuery, FurtherTurnsQueryVariables>;
export const ConversationsDocument = new TypedDocumentString(`
    query Conversations($first: Int, $after: String, $filter: ConversationFilter) {
  viewer {
    id
    conversations(first: $first, after: $after, filter: $filter) {
      searchedTo
      edges {
        node {
          id
        }
        hits {
          number
          inReply
          excerpt
          ranges {
            start
            length
          }
        }
      }
      nodes {
        id
        sessionId
        source
        userId
        preview
        turnCount
        failedTurns
        credits
        lastTurnAt
        agent {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConversationsQuery, ConversationsQueryVariables>;
export const TranscriptDocument = new TypedDocumentString(`
    query Transcript($id: ID!, $last: Int!, $before: String) {
  conversation(id: $id) {
    id
    sessionId
    source
    userId
    turnCount
    failedTurns
    credits
    createdAt
    lastTurnAt
    continuesFrom {
      id
      number
      conversationId
    }
    agent {
      id
      name
    }
    turns(last: $last, before: $before) {
      nodes {
        id
        conversationId
        number
        ...TurnMessage
        ...TurnReply
        ...TurnRatings
        state
        errorCode
        requestId
        version
        model
        fallback
        background
        userId
        variables {
          name
          value
        }
        source
        credits
        createdAt
        durationMs
        request {
          id
        }
        export {
          id
          name
        }
      }
      pageInfo {
        hasPreviousPage
        startCursor
      }
    }
  }
}
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}
fragment TurnMessage on Turn {
  message
  actionResults {
    callId
    name
    result
    error
  }
}
fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}`) as unknown as TypedDocumentString<TranscriptQuery, TranscriptQueryVariables>;
export const ConversationHitsDocument = new TypedDocumentString(`
    query ConversationHits($after: String, $filter: ConversationFilter) {
  viewer {
    id
    conversations(first: 1, after: $after, filter: $filter) {
      edges {
        node {
          id
        }
        hits {
          number
          inReply
          excerpt
          ranges {
            start
            length
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConversationHitsQuery, ConversationHitsQueryVariables>;
export const MessagesTodayDocument = new TypedDocumentString(`
    query MessagesToday($userId: String!) {
  viewer {
    id
    endUser(userId: $userId) {
      userId
      dailyMessageLimit
      messagesToday
      nearestExportLimit {
        dailyMessageLimit
        messagesToday
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MessagesTodayQuery, MessagesTodayQueryVariables>;
export const DeleteConversationDocument = new TypedDocumentString(`
    mutation DeleteConversation($input: DeleteConversationInput!) {
  deleteConversation(input: $input) {
    deletedConversationId
  }
}
    `) as unknown as TypedDocumentString<DeleteConversationMutation, DeleteConversationMutationVariables>;
export const DeleteConversationsDocument = new TypedDocumentString(`
    mutation DeleteConversations($input: DeleteConversationsInput!) {
  deleteConversations(input: $input) {
    deletedCount
  }
}
    `) as unknown as TypedDocumentString<DeleteConversationsMutation, DeleteConversationsMutationVariables>;
export const TurnPromptDocument = new TypedDocumentString(`
    query TurnPrompt($id: ID!) {
  node(id: $id) {
    __typename
    ... on Turn {
      id
      version
      source
      inputTokens
      outputTokens
      message
      actionResults {
        callId
        name
        result
        error
      }
      passages {
        n
        name
        heading
        page
        text
        source {
          id
        }
      }
      prompt {
        instructions
        earlierTurns
        actions
        chain {
          id
          message
          reply
          actionCalls {
            id
            name
            arguments
            state
          }
          actionResults {
            callId
            name
            result
            error
          }
        }
        model
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TurnPromptQuery, TurnPromptQueryVariables>;
export const ContinuedTurnDocument = new TypedDocumentString(`
    query ContinuedTurn($id: ID!) {
  node(id: $id) {
    __typename
    ... on Turn {
      id
      number
      conversation {
        id
        sessionId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ContinuedTurnQuery, ContinuedTurnQueryVariables>;
export const RateTurnDocument = new TypedDocumentString(`
    mutation RateTurn($input: RateTurnInput!) {
  rateTurn(input: $input) {
    turn {
      id
      ...TurnRatings
    }
  }
}
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}`) as unknown as TypedDocumentString<RateTurnMutation, RateTurnMutationVariables>;
export const DailyUsageDocument = new TypedDocumentString(`
    query DailyUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {
  viewer {
    id
    usage(
      filter: {from: $from, to: $to}
      groupBy: []
      interval: DAY
      timeZone: $timeZone
    ) {
      start
      credits
      messages
    }
  }
}
    `) as unknown as TypedDocumentString<DailyUsageQuery, DailyUsageQueryVariables>;
export const TopUpDocument = new TypedDocumentString(`
    query TopUp {
  viewer {
    id
    topUpUrl
  }
}
    `) as unknown as TypedDocumentString<TopUpQuery, TopUpQueryVariables>;
export const CreditHistoryDocument = new TypedDocumentString(`
    query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {
  viewer {
    id
    createdAt
    creditHistory(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        kind
        amount
        balanceAfter
        createdAt
        note
        agentName
        exportName
        agent {
          id
          name
        }
        export {
          id
          name
        }
        turn {
          id
          number
          conversationId
          request {
            id
            preview
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreditHistoryQuery, CreditHistoryQueryVariables>;
export const CreditDaysDocument = new TypedDocumentString(`
    query CreditDays($filter: UsageFilter!, $interval: UsageInterval!, $timeZone: String, $from: DateTime!, $to: DateTime!, $balances: Boolean!) {
  viewer {
    id
    usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {
      start
      credits
      messages
    }
    first: creditHistory(first: 1, filter: {to: $from}) @include(if: $balances) {
      nodes {
        id
        balanceAfter
      }
    }
    last: creditHistory(first: 1, filter: {to: $to}) @include(if: $balances) {
      nodes {
        id
        balanceAfter
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreditDaysQuery, CreditDaysQueryVariables>;
export const FirstRequestDocument = new TypedDocumentString(`
    query FirstRequest($exportId: ID!) {
  viewer {
    id
    creditsAvailable
    requests(first: 5, filter: {exportId: $exportId}) {
      nodes {
        id
        at
        outcome
        status
        code
        detail
        credits
        durationMs
        turn {
          message
          reply
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FirstRequestQuery, FirstRequestQueryVariables>;
export const QuickstartDocument = new TypedDocumentString(`
    query Quickstart($id: ID!) {
  node(id: $id) {
    __typename
    ...CalledExport
  }
}
    fragment CalledExport on ApiExport {
  id
  state
  requireUserId
  userDailyMessageLimit
  pinnedVersion {
    variables {
      name
      required
    }
    actions {
      name
    }
    replySchema
  }
  agent {
    id
    name
    publishedVersion {
      variables {
        name
        required
      }
      actions {
        name
      }
      replySchema
    }
  }
}`) as unknown as TypedDocumentString<QuickstartQuery, QuickstartQueryVariables>;
export const NewestExportDocument = new TypedDocumentString(`
    query NewestExport($agentId: ID) {
  viewer {
    id
    exports(first: 1, filter: {agentId: $agentId, state: ACTIVE}) {
      nodes {
        id
        ...CalledExport
      }
    }
  }
}
    fragment CalledExport on ApiExport {
  id
  state
  requireUserId
  userDailyMessageLimit
  pinnedVersion {
    variables {
      name
      required
    }
    actions {
      name
    }
    replySchema
  }
  agent {
    id
    name
    publishedVersion {
      variables {
        name
        required
      }
      actions {
        name
      }
      replySchema
    }
  }
}`) as unknown as TypedDocumentString<NewestExportQuery, NewestExportQueryVariables>;
export const AccountTokensDocument = new TypedDocumentString(`
    query AccountTokens {
  viewer {
    id
    accountTokens {
      id
      name
      role
      createdBy {
        name
      }
      createdAt
      lastUsedAt
      expiresAt
    }
  }
}
    `) as unknown as TypedDocumentString<AccountTokensQuery, AccountTokensQueryVariables>;
export const CreateAccountTokenDocument = new TypedDocumentString(`
    mutation CreateAccountToken($input: CreateAccountTokenInput!) {
  createAccountToken(input: $input) {
    secret
    accountToken {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CreateAccountTokenMutation, CreateAccountTokenMutationVariables>;
export const RemoveAccountTokenDocument = new TypedDocumentString(`
    mutation RemoveAccountToken($input: RemoveAccountTokenInput!) {
  removeAccountToken(input: $input) {
    removedAccountTokenId
  }
}
    `) as unknown as TypedDocumentString<RemoveAccountTokenMutation, RemoveAccountTokenMutationVariables>;
export const ExportPageDocument = new TypedDocumentString(`
    query ExportPage($id: ID!) {
  node(id: $id) {
    __typename
    ... on ApiExport {
      id
      name
      state
      createdAt
      removedAt
      expiresAt
      lastUsedAt
      rateLimitPerMinute
      version
      dailyCreditLimit
      monthlyCreditLimit
      creditsUsedToday
      creditsUsedThisMonth
      requireUserId
      userDailyMessageLimit
      keys {
        id
        createdAt
        lastUsedAt
        stopsAt
        hint
      }
      agent {
        id
        name
        state
        publishedVersion {
          number
          variables {
            name
            required
          }
          actions {
            name
          }
          replySchema
          model {
            name
            creditsPerMessage
          }
        }
      }
      pinnedVersion {
        variables {
          name
          required
        }
        actions {
          name
        }
        replySchema
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExportPageQuery, ExportPageQueryVariables>;
export const ExportUseDocument = new TypedDocumentString(`
    query ExportUse($exportId: ID!, $from: DateTime!, $to: DateTime!, $timeZone: String) {
  viewer {
    id
    total: usage(filter: {exportId: $exportId, from: $from, to: $to}, groupBy: []) {
      messages
      failed
      refused
      credits
    }
    days: usage(
      filter: {exportId: $exportId, from: $from, to: $to}
      groupBy: []
      interval: DAY
      timeZone: $timeZone
    ) {
      start
      credits
    }
  }
}
    `) as unknown as TypedDocumentString<ExportUseQuery, ExportUseQueryVariables>;
export const ExportCallsDocument = new TypedDocumentString(`
    query ExportCalls($exportId: ID!, $first: Int!) {
  viewer {
    id
    requests(first: $first, filter: {exportId: $exportId}) {
      nodes {
        id
        requestId
        at
        outcome
        status
        code
        credits
        durationMs
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExportCallsQuery, ExportCallsQueryVariables>;
export const ReplaceApiKeyDocument = new TypedDocumentString(`
    mutation ReplaceApiKey($input: ReplaceApiKeyInput!) {
  replaceApiKey(input: $input) {
    apiKey
    export {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<ReplaceApiKeyMutation, ReplaceApiKeyMutationVariables>;
export const StopApiKeyDocument = new TypedDocumentString(`
    mutation StopApiKey($input: StopApiKeyInput!) {
  stopApiKey(input: $input) {
    export {
      id
      keys {
        id
        createdAt
        lastUsedAt
        stopsAt
        hint
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StopApiKeyMutation, StopApiKeyMutationVariables>;
export const SetApiKeyStopDocument = new TypedDocumentString(`
    mutation SetApiKeyStop($input: SetApiKeyStopInput!) {
  setApiKeyStop(input: $input) {
    export {
      id
      keys {
        id
        createdAt
        lastUsedAt
        stopsAt
        hint
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SetApiKeyStopMutation, SetApiKeyStopMutationVariables>;
export const RemoveApiExportDocument = new TypedDocumentString(`
    mutation RemoveApiExport($input: RemoveApiExportInput!) {
  removeApiExport(input: $input) {
    export {
      id
      state
      removedAt
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveApiExportMutation, RemoveApiExportMutationVariables>;
export const AgentExportsDocument = new TypedDocumentString(`
    query AgentExports($id: ID!) {
  agent(id: $id) {
    id
    name
    state
    model {
      sandbox
    }
    publishedVersion {
      number
      variables {
        name
        required
      }
      actions {
        name
      }
      replySchema
      model {
        name
        creditsPerMessage
      }
    }
    exports {
      id
      name
      state
      expiresAt
      lastUsedAt
      rateLimitPerMinute
      version
      dailyCreditLimit
      monthlyCreditLimit
      creditsUsedToday
      creditsUsedThisMonth
      requireUserId
      userDailyMessageLimit
      keys {
        id
        hint
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AgentExportsQuery, AgentExportsQueryVariables>;
export const AccountExportsDocument = new TypedDocumentString(`
    query AccountExports($first: Int, $after: String, $filter: ExportFilter, $orderBy: ExportOrder) {
  viewer {
    id
    exports(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      nodes {
        id
        name
        state
        removedAt
        lastUsedAt
        expiresAt
        rateLimitPerMinute
        version
        dailyCreditLimit
        monthlyCreditLimit
        creditsUsedToday
        creditsUsedThisMonth
        requireUserId
        userDailyMessageLimit
        keys {
          id
          hint
        }
        agent {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AccountExportsQuery, AccountExportsQueryVariables>;
export const LiveAgentsDocument = new TypedDocumentString(`
    query LiveAgents($first: Int, $after: String) {
  agents(
    first: $first
    after: $after
    filter: {state: LIVE}
    orderBy: {field: NAME, direction: ASC}
  ) {
    nodes {
      id
      name
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<LiveAgentsQuery, LiveAgentsQueryVariables>;
export const CreateApiExportDocument = new TypedDocumentString(`
    mutation CreateApiExport($input: CreateApiExportInput!) {
  createApiExport(input: $input) {
    apiKey
    export {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CreateApiExportMutation, CreateApiExportMutationVariables>;
export const UpdateApiExportDocument = new TypedDocumentString(`
    mutation UpdateApiExport($input: UpdateApiExportInput!) {
  updateApiExport(input: $input) {
    export {
      id
      name
      state
      rateLimitPerMinute
      version
      expiresAt
      dailyCreditLimit
      monthlyCreditLimit
      creditsUsedToday
      creditsUsedThisMonth
      requireUserId
      userDailyMessageLimit
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateApiExportMutation, UpdateApiExportMutationVariables>;
export const PauseApiExportDocument = new TypedDocumentString(`
    mutation PauseApiExport($input: PauseApiExportInput!) {
  pauseApiExport(input: $input) {
    export {
      id
      state
    }
  }
}
    `) as unknown as TypedDocumentString<PauseApiExportMutation, PauseApiExportMutationVariables>;
export const ResumeApiExportDocument = new TypedDocumentString(`
    mutation ResumeApiExport($input: ResumeApiExportInput!) {
  resumeApiExport(input: $input) {
    export {
      id
      state
    }
  }
}
    `) as unknown as TypedDocumentString<ResumeApiExportMutation, ResumeApiExportMutationVariables>;
export const HomeDocument = new TypedDocumentString(`
    query Home {
  agents(first: 5) {
    nodes {
      id
      name
      state
      hasUnpublishedChanges
      lastUsedAt
      publishedVersion {
        number
      }
      model {
        label
      }
    }
    totalCount
  }
  viewer {
    id
    conversations(first: 6) {
      nodes {
        id
        sessionId
        userId
        preview
        failedTurns
        lastTurnAt
        agent {
          id
          name
        }
      }
    }
    calls: conversations(first: 1, filter: {source: API}) {
      nodes {
        id
      }
    }
    charges: creditHistory(first: 1, filter: {kind: CHARGE}) {
      nodes {
        id
        exportName
      }
    }
    exports(first: 1, filter: {state: ACTIVE}) {
      nodes {
        id
        name
        state
        requireUserId
        userDailyMessageLimit
        agent {
          id
          name
          publishedVersion {
            variables {
              name
              required
            }
          }
        }
        pinnedVersion {
          variables {
            name
            required
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HomeQuery, HomeQueryVariables>;
export const HomeAttentionDocument = new TypedDocumentString(`
    query HomeAttention {
  agents(first: 100) {
    nodes {
      id
      name
      state
      hasUnpublishedChanges
      publishedVersion {
        number
      }
    }
  }
  viewer {
    id
    exports(first: 100, filter: {state: ACTIVE}) {
      nodes {
        id
        name
        expiresAt
        dailyCreditLimit
        monthlyCreditLimit
        creditsUsedToday
        creditsUsedThisMonth
        agent {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HomeAttentionQuery, HomeAttentionQueryVariables>;
export const CreateStarterDocument = new TypedDocumentString(`
    mutation CreateStarter($input: CreateAgentInput!) {
  createAgent(input: $input) {
    agent {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CreateStarterMutation, CreateStarterMutationVariables>;
export const HomeUsageDocument = new TypedDocumentString(`
    query HomeUsage($from: DateTime!, $before: DateTime!, $to: DateTime!, $hourAgo: DateTime!, $interval: UsageInterval!, $timeZone: String) {
  viewer {
    id
    now: usage(filter: {from: $from, to: $to}, groupBy: []) {
      messages
      failed
      refused
      credits
      durationP50Ms
      durationP95Ms
    }
    before: usage(filter: {from: $before, to: $from}, groupBy: []) {
      messages
      failed
      durationP50Ms
    }
    points: usage(
      filter: {from: $before, to: $to}
      groupBy: []
      interval: $interval
      timeZone: $timeZone
    ) {
      start
      messages
      failed
      credits
      durationP50Ms
      durationP95Ms
    }
    agents: usage(filter: {from: $from, to: $to}, groupBy: [AGENT, SOURCE]) {
      agent {
        id
        name
      }
      source
      messages
      failed
      credits
    }
    agentPoints: usage(
      filter: {from: $from, to: $to}
      groupBy: [AGENT]
      interval: $interval
      timeZone: $timeZone
    ) {
      start
      agent {
        id
      }
      messages
    }
    lastHour: usage(
      filter: {from: $hourAgo, to: $to, source: API}
      groupBy: [AGENT, STATUS]
    ) {
      agent {
        id
        name
      }
      status
      messages
      failed
    }
  }
}
    `) as unknown as TypedDocumentString<HomeUsageQuery, HomeUsageQueryVariables>;
export const MembersDocument = new TypedDocumentString(`
    query Members {
  me {
    id
  }
  viewer {
    id
    members {
      userId
      name
      email
      role
      since
      secondFactor
      lastSeenAt
    }
  }
}
    `) as unknown as TypedDocumentString<MembersQuery, MembersQueryVariables>;
export const InvitationsDocument = new TypedDocumentString(`
    query Invitations {
  viewer {
    id
    invitations {
      id
      email
      role
      invitedBy {
        name
      }
      createdAt
      expiresAt
    }
  }
}
    `) as unknown as TypedDocumentString<InvitationsQuery, InvitationsQueryVariables>;
export const MadeKeysDocument = new TypedDocumentString(`
    query MadeKeys {
  viewer {
    id
    exports(first: 100, filter: {inUse: true}) {
      nodes {
        id
        name
        keys {
          id
          createdBy {
            actorId
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MadeKeysQuery, MadeKeysQueryVariables>;
export const MadeTokensDocument = new TypedDocumentString(`
    query MadeTokens {
  me {
    id
  }
  viewer {
    id
    accountTokens {
      id
      name
      createdBy {
        actorId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MadeTokensQuery, MadeTokensQueryVariables>;
export const InvitationPreviewDocument = new TypedDocumentString(`
    query InvitationPreview($token: String!) {
  invitation(token: $token) {
    accountName
    email
    role
    invitedBy
    expiresAt
    known
  }
}
    `) as unknown as TypedDocumentString<InvitationPreviewQuery, InvitationPreviewQueryVariables>;
export const MyAddressDocument = new TypedDocumentString(`
    query MyAddress {
  me {
    id
    email
  }
}
    `) as unknown as TypedDocumentString<MyAddressQuery, MyAddressQueryVariables>;
export const UpdateAccountDocument = new TypedDocumentString(`
    mutation UpdateAccount($input: UpdateAccountInput!) {
  updateAccount(input: $input) {
    account {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateAccountMutation, UpdateAccountMutationVariables>;
export const InviteMemberDocument = new TypedDocumentString(`
    mutation InviteMember($input: InviteMemberInput!) {
  inviteMember(input: $input) {
    invitation {
      id
      email
    }
    link
  }
}
    `) as unknown as TypedDocumentString<InviteMemberMutation, InviteMemberMutationVariables>;
export const RenewInvitationDocument = new TypedDocumentString(`
    mutation RenewInvitation($input: RenewInvitationInput!) {
  renewInvitation(input: $input) {
    invitation {
      id
      email
    }
    link
  }
}
    `) as unknown as TypedDocumentString<RenewInvitationMutation, RenewInvitationMutationVariables>;
export const RevokeInvitationDocument = new TypedDocumentString(`
    mutation RevokeInvitation($input: RevokeInvitationInput!) {
  revokeInvitation(input: $input) {
    revokedInvitationId
  }
}
    `) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const SetMemberRoleDocument = new TypedDocumentString(`
    mutation SetMemberRole($input: SetMemberRoleInput!) {
  setMemberRole(input: $input) {
    member {
      userId
      role
    }
  }
}
    `) as unknown as TypedDocumentString<SetMemberRoleMutation, SetMemberRoleMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($input: RemoveMemberInput!) {
  removeMember(input: $input) {
    userId
  }
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const LeaveAccountDocument = new TypedDocumentString(`
    mutation LeaveAccount {
  leaveAccount {
    ok
  }
}
    `) as unknown as TypedDocumentString<LeaveAccountMutation, LeaveAccountMutationVariables>;
export const AcceptInvitationDocument = new TypedDocumentString(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    account {
      accountId
    }
  }
}
    `) as unknown as TypedDocumentString<AcceptInvitationMutation, AcceptInvitationMutationVariables>;
export const PeopleDocument = new TypedDocumentString(`
    query People($first: Int, $after: String, $filter: EndUserFilter, $orderBy: EndUserOrder) {
  viewer {
    id
    endUsers(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      nodes {
        userId
        lastSeenAt
        messages
        credits
        blocked
        dailyMessageLimit
        messagesToday
        nearestExportLimit {
          dailyMessageLimit
          messagesToday
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PeopleQuery, PeopleQueryVariables>;
export const PersonDocument = new TypedDocumentString(`
    query Person($userId: String!, $from: DateTime!, $since: DateTime!, $to: DateTime!, $timeZone: String) {
  viewer {
    id
    endUser(userId: $userId) {
      userId
      firstSeenAt
      lastSeenAt
      messages
      credits
      conversations
      blocked
      dailyMessageLimit
      messagesToday
      nearestExportLimit {
        dailyMessageLimit
        messagesToday
        export {
          id
          name
        }
      }
    }
    month: usage(filter: {userId: $userId, from: $from, to: $to}, groupBy: []) {
      messages
      failed
      credits
    }
    days: usage(
      filter: {userId: $userId, from: $since, to: $to, source: API}
      groupBy: []
      interval: DAY
      timeZone: $timeZone
    ) {
      start
      messages
      failed
      refused
    }
  }
}
    `) as unknown as TypedDocumentString<PersonQuery, PersonQueryVariables>;
export const DeleteEndUserDocument = new TypedDocumentString(`
    mutation DeleteEndUser($input: DeleteEndUserInput!) {
  deleteEndUser(input: $input) {
    deletedCount
  }
}
    `) as unknown as TypedDocumentString<DeleteEndUserMutation, DeleteEndUserMutationVariables>;
export const BlockEndUserDocument = new TypedDocumentString(`
    mutation BlockEndUser($input: BlockEndUserInput!) {
  blockEndUser(input: $input) {
    endUser {
      blocked
    }
  }
}
    `) as unknown as TypedDocumentString<BlockEndUserMutation, BlockEndUserMutationVariables>;
export const UnblockEndUserDocument = new TypedDocumentString(`
    mutation UnblockEndUser($input: UnblockEndUserInput!) {
  unblockEndUser(input: $input) {
    endUser {
      blocked
    }
  }
}
    `) as unknown as TypedDocumentString<UnblockEndUserMutation, UnblockEndUserMutationVariables>;
export const SetEndUserLimitDocument = new TypedDocumentString(`
    mutation SetEndUserLimit($input: SetEndUserLimitInput!) {
  setEndUserLimit(input: $input) {
    endUser {
      dailyMessageLimit
    }
  }
}
    `) as unknown as TypedDocumentString<SetEndUserLimitMutation, SetEndUserLimitMutationVariables>;
export const PastTestsDocument = new TypedDocumentString(`
    query PastTests($agentId: ID!, $first: Int!) {
  agent(id: $agentId) {
    id
    conversations(first: $first, filter: {source: PLAYGROUND}) {
      nodes {
        id
        sessionId
        preview
        lastTurnAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PastTestsQuery, PastTestsQueryVariables>;
export const PlaygroundFollowDocument = new TypedDocumentString(`
    subscription PlaygroundFollow($input: SendTestMessageInput!) {
  testMessage(input: $input) {
    __typename
    ... on TestMessageStarted {
      turnId
    }
    ... on TestMessageDelta {
      text
    }
    ... on TestMessageEnded {
      conversation {
        id
      }
      turn {
        ...SentTurn
      }
    }
    ... on TestMessageFailed {
      conversation {
        id
      }
      turn {
        ...SentTurn
      }
    }
  }
}
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}
fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}
fragment SentTurn on Turn {
  id
  ...TurnReply
  ...TurnRatings
  state
  version
  errorCode
  requestId
  model
  fallback
  credits
  inputTokens
  outputTokens
  firstTextMs
  durationMs
}`) as unknown as TypedDocumentString<PlaygroundFollowSubscription, PlaygroundFollowSubscriptionVariables>;
export const PlaygroundLatestTurnDocument = new TypedDocumentString(`
    query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {
  agent(id: $agentId) {
    id
    conversations(first: 1, filter: {sessionId: $sessionId, source: PLAYGROUND}) {
      nodes {
        id
        turns(last: 1) {
          nodes {
            message
            actionResults {
              callId
            }
            ...SentTurn
          }
        }
      }
    }
  }
}
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}
fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}
fragment SentTurn on Turn {
  id
  ...TurnReply
  ...TurnRatings
  state
  version
  errorCode
  requestId
  model
  fallback
  credits
  inputTokens
  outputTokens
  firstTextMs
  durationMs
}`) as unknown as TypedDocumentString<PlaygroundLatestTurnQuery, PlaygroundLatestTurnQueryVariables>;
export const PlaygroundKeptDocument = new TypedDocumentString(`
    query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {
  agent(id: $agentId) {
    id
    conversations(first: 1, filter: {sessionId: $sessionId, source: PLAYGROUND}) {
      nodes {
        id
        continuesFrom {
          id
        }
        turns(last: $last) {
          nodes {
            ...TurnMessage
            userId
            variables {
              name
              value
            }
            ...SentTurn
          }
        }
      }
    }
  }
}
    fragment TurnRatings on Turn {
  ratings {
    kind
    value
    note
    ratedBy {
      name
    }
  }
}
fragment TurnMessage on Turn {
  message
  actionResults {
    callId
    name
    result
    error
  }
}
fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}
fragment SentTurn on Turn {
  id
  ...TurnReply
  ...TurnRatings
  state
  version
  errorCode
  requestId
  model
  fallback
  credits
  inputTokens
  outputTokens
  firstTextMs
  durationMs
}`) as unknown as TypedDocumentString<PlaygroundKeptQuery, PlaygroundKeptQueryVariables>;
export const RequestCountsDocument = new TypedDocumentString(`
    query RequestCounts($range: UsageFilter!, $period: UsageFilter!, $interval: UsageInterval!, $timeZone: String) {
  viewer {
    id
    rejectedRequestDays
    codes: usage(filter: $range, groupBy: [STATUS, AGENT]) {
      status
      agent {
        id
      }
      rest
      messages
      failed
      refused
    }
    bars: usage(
      filter: $period
      groupBy: []
      interval: $interval
      timeZone: $timeZone
    ) {
      start
      messages
      failed
      refused
    }
  }
}
    `) as unknown as TypedDocumentString<RequestCountsQuery, RequestCountsQueryVariables>;
export const SimilarRequestsDocument = new TypedDocumentString(`
    query SimilarRequests($filter: UsageFilter!) {
  viewer {
    id
    usage(filter: $filter, groupBy: [STATUS]) {
      status
      failed
      refused
    }
  }
}
    `) as unknown as TypedDocumentString<SimilarRequestsQuery, SimilarRequestsQueryVariables>;
export const RequestsToSaveDocument = new TypedDocumentString(`
    query RequestsToSave($first: Int, $after: String, $filter: RequestFilter) {
  viewer {
    id
    createdAt
    requests(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        requestId
        at
        outcome
        status
        code
        detail
        agent {
          id
          name
        }
        export {
          id
          name
        }
        clientAddress
        sessionId
        userId
        model
        streamed
        replayed
        credits
        durationMs
        waitedMs
        modelMs
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RequestsToSaveQuery, RequestsToSaveQueryVariables>;
export const RequestsDocument = new TypedDocumentString(`
    query Requests($first: Int, $after: String, $filter: RequestFilter, $ids: RequestFilter, $searching: Boolean!) {
  viewer {
    id
    requests(first: $first, after: $after, filter: $filter) {
      ...RequestPage
    }
    byId: requests(first: $first, after: $after, filter: $ids) @include(if: $searching) {
      ...RequestPage
    }
  }
}
    fragment RequestPage on RequestConnection {
  edges {
    cursor
    node {
      id
      at
      outcome
      status
      code
      detail
      preview
      agent {
        id
        name
      }
      sessionId
      userId
      replayed
      credits
      durationMs
    }
  }
  pageInfo {
    hasNextPage
    endCursor
  }
}`) as unknown as TypedDocumentString<RequestsQuery, RequestsQueryVariables>;
export const RequestDocument = new TypedDocumentString(`
    query Request($id: ID!) {
  request(id: $id) {
    id
    requestId
    at
    outcome
    status
    code
    detail
    agent {
      id
      name
    }
    export {
      id
      name
    }
    clientAddress
    sessionId
    userId
    model
    streamed
    background
    replayed
    credits
    durationMs
    waitedMs
    modelMs
    conversation {
      id
      sessionId
    }
    turn {
      id
      number
      ...TurnMessage
      ...TurnReply
      version
      providerError {
        status
        code
        message
      }
    }
  }
}
    fragment TurnMessage on Turn {
  message
  actionResults {
    callId
    name
    result
    error
  }
}
fragment TurnReply on Turn {
  reply
  actionCalls {
    id
    name
    arguments
    state
  }
  sources {
    n
    name
    heading
    page
    source {
      id
    }
  }
  output
  misfit
  finishReason
}`) as unknown as TypedDocumentString<RequestQuery, RequestQueryVariables>;
export const StartSecondFactorDocument = new TypedDocumentString(`
    mutation StartSecondFactor {
  startSecondFactor {
    secret
    uri
    qrCode
  }
}
    `) as unknown as TypedDocumentString<StartSecondFactorMutation, StartSecondFactorMutationVariables>;
export const ConfirmSecondFactorDocument = new TypedDocumentString(`
    mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {
  confirmSecondFactor(input: $input) {
    recoveryCodes
  }
}
    `) as unknown as TypedDocumentString<ConfirmSecondFactorMutation, ConfirmSecondFactorMutationVariables>;
export const RemoveSecondFactorDocument = new TypedDocumentString(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<RemoveSecondFactorMutation, RemoveSecondFactorMutationVariables>;
export const RenewRecoveryCodesDocument = new TypedDocumentString(`
    mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {
  renewRecoveryCodes(input: $input) {
    recoveryCodes
  }
}
    `) as unknown as TypedDocumentString<RenewRecoveryCodesMutation, RenewRecoveryCodesMutationVariables>;
export const SecondFactorRuleDocument = new TypedDocumentString(`
    query SecondFactorRule {
  me {
    id
    secondFactor
  }
  viewer {
    id
    requireSecondFactor
  }
}
    `) as unknown as TypedDocumentString<SecondFactorRuleQuery, SecondFactorRuleQueryVariables>;
export const SetSecondFactorRuleDocument = new TypedDocumentString(`
    mutation SetSecondFactorRule($input: UpdateAccountInput!) {
  updateAccount(input: $input) {
    account {
      id
      requireSecondFactor
    }
  }
}
    `) as unknown as TypedDocumentString<SetSecondFactorRuleMutation, SetSecondFactorRuleMutationVariables>;
export const SignInsDocument = new TypedDocumentString(`
    query SignIns {
  viewer {
    id
    signIns {
      id
      browser
      address
      createdAt
      lastUsedAt
      current
    }
  }
}
    `) as unknown as TypedDocumentString<SignInsQuery, SignInsQueryVariables>;
export const EventsDocument = new TypedDocumentString(`
    query Events($first: Int, $after: String) {
  me {
    id
    events(first: $first, after: $after) {
      nodes {
        id
        at
        actor {
          kind
          name
        }
        action
        details {
          field
        }
        address
        browser
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EventsQuery, EventsQueryVariables>;
export const AddressDocument = new TypedDocumentString(`
    query Address {
  me {
    id
    email
    emailVerified
  }
}
    `) as unknown as TypedDocumentString<AddressQuery, AddressQueryVariables>;
export const RequestEmailVerificationDocument = new TypedDocumentString(`
    mutation RequestEmailVerification {
  requestEmailVerification {
    ok
  }
}
    `) as unknown as TypedDocumentString<RequestEmailVerificationMutation, RequestEmailVerificationMutationVariables>;
export const ChangeEmailDocument = new TypedDocumentString(`
    mutation ChangeEmail($input: ChangeEmailInput!) {
  changeEmail(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<ChangeEmailMutation, ChangeEmailMutationVariables>;
export const EndSignInDocument = new TypedDocumentString(`
    mutation EndSignIn($input: EndSignInInput!) {
  endSignIn(input: $input) {
    endedSignInId
  }
}
    `) as unknown as TypedDocumentString<EndSignInMutation, EndSignInMutationVariables>;
export const SignOutEverywhereDocument = new TypedDocumentString(`
    mutation SignOutEverywhere {
  signOutEverywhere {
    ok
  }
}
    `) as unknown as TypedDocumentString<SignOutEverywhereMutation, SignOutEverywhereMutationVariables>;
export const ChangePasswordDocument = new TypedDocumentString(`
    mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    account {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const UpdateUserDocument = new TypedDocumentString(`
    mutation UpdateUser($input: UpdateUserInput!) {
  updateUser(input: $input) {
    user {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateUserMutation, UpdateUserMutationVariables>;
export const NotificationsDocument = new TypedDocumentString(`
    query Notifications {
  viewer {
    id
    viewerRole
    lowCreditsAt
  }
}
    `) as unknown as TypedDocumentString<NotificationsQuery, NotificationsQueryVariables>;
export const KeptDataDocument = new TypedDocumentString(`
    query KeptData {
  viewer {
    id
    rejectedRequestDays
    retentionDays
    serviceRetentionDays
  }
}
    `) as unknown as TypedDocumentString<KeptDataQuery, KeptDataQueryVariables>;
export const RetentionPreviewDocument = new TypedDocumentString(`
    query RetentionPreview($days: Int!) {
  viewer {
    id
    retentionPreview(days: $days) {
      conversations
      more
    }
  }
}
    `) as unknown as TypedDocumentString<RetentionPreviewQuery, RetentionPreviewQueryVariables>;
export const SetRetentionDocument = new TypedDocumentString(`
    mutation SetRetention($input: UpdateAccountInput!) {
  updateAccount(input: $input) {
    account {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<SetRetentionMutation, SetRetentionMutationVariables>;
export const CreateAccountDownloadDocument = new TypedDocumentString(`
    mutation CreateAccountDownload {
  createAccountDownload {
    url
  }
}
    `) as unknown as TypedDocumentString<CreateAccountDownloadMutation, CreateAccountDownloadMutationVariables>;
export const SetLowCreditsDocument = new TypedDocumentString(`
    mutation SetLowCredits($input: UpdateAccountInput!) {
  updateAccount(input: $input) {
    account {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<SetLowCreditsMutation, SetLowCreditsMutationVariables>;
export const DeleteAccountDocument = new TypedDocumentString(`
    mutation DeleteAccount($input: DeleteAccountInput!) {
  deleteAccount(input: $input) {
    ok
  }
}
    `) as unknown as TypedDocumentString<DeleteAccountMutation, DeleteAccountMutationVariables>;
export const FoundDocument = new TypedDocumentString(`
    query Found($userId: String!, $people: EndUserFilter, $sessions: ConversationFilter, $requests: RequestFilter) {
  viewer {
    id
    person: endUser(userId: $userId) {
      userId
    }
    people: endUsers(first: 5, filter: $people) {
      nodes {
        userId
      }
    }
    sessions: conversations(first: 5, filter: $sessions) {
      nodes {
        id
        sessionId
        agent {
          id
          name
        }
      }
    }
    requests(first: 1, filter: $requests) {
      nodes {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FoundQuery, FoundQueryVariables>;
export const TestCasesDocument = new TypedDocumentString(`
    query TestCases($agentId: ID!, $first: Int!, $after: String, $search: String) {
  agent(id: $agentId) {
    id
    testCases(first: $first, after: $after, search: $search) {
      nodes {
        id
        number
        document
        newestOutcome {
          passes
          repeats
          passed
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TestCasesQuery, TestCasesQueryVariables>;
export const TestCaseDocument = new TypedDocumentString(`
    query TestCase($id: ID!) {
  testCase(id: $id) {
    id
    number
    document
    conversation {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<TestCaseQuery, TestCaseQueryVariables>;
export const TestCaseFromDocument = new TypedDocumentString(`
    query TestCaseFrom($turnId: ID!) {
  testCaseFrom(turnId: $turnId)
}
    `) as unknown as TypedDocumentString<TestCaseFromQuery, TestCaseFromQueryVariables>;
export const CreateTestCaseDocument = new TypedDocumentString(`
    mutation CreateTestCase($input: CreateTestCaseInput!) {
  createTestCase(input: $input) {
    testCase {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTestCaseMutation, CreateTestCaseMutationVariables>;
export const UpdateTestCaseDocument = new TypedDocumentString(`
    mutation UpdateTestCase($input: UpdateTestCaseInput!) {
  updateTestCase(input: $input) {
    testCase {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateTestCaseMutation, UpdateTestCaseMutationVariables>;
export const DeleteTestCasesDocument = new TypedDocumentString(`
    mutation DeleteTestCases($input: DeleteTestCasesInput!) {
  deleteTestCases(input: $input) {
    ids
  }
}
    `) as unknown as TypedDocumentString<DeleteTestCasesMutation, DeleteTestCasesMutationVariables>;
export const ImportTestCasesDocument = new TypedDocumentString(`
    mutation ImportTestCases($input: ImportTestCasesInput!) {
  importTestCases(input: $input) {
    imported
    skipped {
      line
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ImportTestCasesMutation, ImportTestCasesMutationVariables>;
export const TestRunsDocument = new TypedDocumentString(`
    query TestRuns($agentId: ID!, $first: Int!, $after: String) {
  agent(id: $agentId) {
    id
    testRuns(first: $first, after: $after) {
      nodes {
        id
        number
        version {
          number
        }
        model
        whole
        state
        stopReason
        repeats
        attempts
        done
        passed
        credits
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TestRunsQuery, TestRunsQueryVariables>;
export const TestRunDocument = new TypedDocumentString(`
    query TestRun($id: ID!) {
  testRun(id: $id) {
    id
    number
    agent {
      id
    }
    version {
      number
    }
    model
    state
    stopReason
    repeats
    neededPasses
    attempts
    done
    passed
    budget
    credits
    startedBy {
      name
    }
    createdAt
  }
}
    `) as unknown as TypedDocumentString<TestRunQuery, TestRunQueryVariables>;
export const TestOutcomesDocument = new TypedDocumentString(`
    query TestOutcomes($id: ID!, $first: Int!, $after: String, $against: ID) {
  testRun(id: $id) {
    id
    done
    outcomes(first: $first, after: $after, against: $against) {
      nodes {
        caseNumber
        case {
          id
          document
        }
        passes
        repeats
        passed
        change
        before {
          passes
          repeats
          passed
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TestOutcomesQuery, TestOutcomesQueryVariables>;
export const TestResultsDocument = new TypedDocumentString(`
    query TestResults($id: ID!, $first: Int!, $after: String, $caseNumber: Int) {
  testRun(id: $id) {
    id
    results(first: $first, after: $after, caseNumber: $caseNumber) {
      nodes {
        caseNumber
        repeat
        passed
        errorCode
        credits
        durationMs
        verdicts {
          check
          type
          passed
          judgeTurn {
            id
            reply
          }
        }
        turn {
          id
          number
          conversationId
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TestResultsQuery, TestResultsQueryVariables>;
export const TestRunPriceDocument = new TypedDocumentString(`
    query TestRunPrice($input: StartTestRunInput!) {
  testRunPrice(input: $input) {
    most
    exact
    attempts
  }
}
    `) as unknown as TypedDocumentString<TestRunPriceQuery, TestRunPriceQueryVariables>;
export const StartTestRunDocument = new TypedDocumentString(`
    mutation StartTestRun($input: StartTestRunInput!) {
  startTestRun(input: $input) {
    testRun {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<StartTestRunMutation, StartTestRunMutationVariables>;
export const StopTestRunDocument = new TypedDocumentString(`
    mutation StopTestRun($input: StopTestRunInput!) {
  stopTestRun(input: $input) {
    testRun {
      id
      state
      stopReason
    }
  }
}
    `) as unknown as TypedDocumentString<StopTestRunMutation, StopTestRunMutationVariables>;
export const DeleteTestRunDocument = new TypedDocumentString(`
    mutation DeleteTestRun($input: DeleteTestRunInput!) {
  deleteTestRun(input: $input) {
    deletedTestRunId
  }
}
    `) as unknown as TypedDocumentString<DeleteTestRunMutation, DeleteTestRunMutationVariables>;
export const TestSettingsDocument = new TypedDocumentString(`
    query TestSettings($agentId: ID!) {
  agent(id: $agentId) {
    id
    tests {
      gate
      repeats
      neededPasses
      judge {
        id
        name
      }
      tokenCreditsPerDay
    }
  }
}
    `) as unknown as TypedDocumentString<TestSettingsQuery, TestSettingsQueryVariables>;
export const UpdateTestSettingsDocument = new TypedDocumentString(`
    mutation UpdateTestSettings($input: UpdateTestSettingsInput!) {
  updateTestSettings(input: $input) {
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateTestSettingsMutation, UpdateTestSettingsMutationVariables>;
export const UsagePageDocument = new TypedDocumentString(`
    query UsagePage($filter: UsageFilter!, $api: UsageFilter!, $before: UsageFilter!, $whole: UsageFilter!, $inMonth: Boolean!, $split: [UsageDimension!]!, $interval: UsageInterval!, $timeZone: String) {
  viewer {
    id
    rows: usage(filter: $filter, groupBy: $split) {
      agent {
        id
        name
      }
      agentName
      export {
        id
        name
      }
      exportName
      model
      userId
      status
      rest
      messages
      failed
      refused
      credits
      inputTokens
      outputTokens
      durationP50Ms
      durationP95Ms
    }
    requests: usage(filter: $api, groupBy: $split) {
      agent {
        id
      }
      agentName
      export {
        id
      }
      exportName
      model
      userId
      status
      rest
      messages
    }
    total: usage(filter: $filter, groupBy: []) {
      messages
      failed
      refused
      credits
      inputTokens
      outputTokens
      durationP50Ms
      durationP95Ms
    }
    before: usage(filter: $before, groupBy: []) {
      messages
      failed
      refused
      credits
      inputTokens
      outputTokens
      durationP50Ms
    }
    whole: usage(filter: $whole, groupBy: []) @include(if: $inMonth) {
      messages
      failed
      refused
      credits
      inputTokens
      outputTokens
      durationP50Ms
    }
    points: usage(
      filter: $filter
      groupBy: $split
      interval: $interval
      timeZone: $timeZone
    ) {
      start
      agent {
        id
        name
      }
      agentName
      export {
        id
        name
      }
      exportName
      model
      userId
      status
      rest
      messages
      failed
      refused
      credits
      inputTokens
      outputTokens
    }
    times: usage(
      filter: $filter
      groupBy: []
      interval: $interval
      timeZone: $timeZone
    ) {
      start
      messages
      credits
      durationP50Ms
      durationP95Ms
    }
  }
}
    `) as unknown as TypedDocumentString<UsagePageQuery, UsagePageQueryVariables>;
export const PublishTestsDocument = new TypedDocumentString(`
    query PublishTests($agentId: ID!) {
  agent(id: $agentId) {
    id
    tests {
      gate
      standing
    }
    testRuns(first: 20) {
      nodes {
        id
        number
        version {
          number
        }
        model
        whole
        state
        repeats
        attempts
        passed
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PublishTestsQuery, PublishTestsQueryVariables>;
export const ReviewDocument = new TypedDocumentString(`
    query Review($id: ID!) {
  agent(id: $id) {
    id
    name
    state
    missing
    updatedAt
    hasUnpublishedChanges
    ...DraftContent
    knowledge(first: 100) {
      nodes {
        id
        name
        state
        inDraft
        inVersions
      }
    }
    model {
      sandbox
      creditsPerMessage
      creditsWithKnowledge
    }
    fallbackModel {
      creditsPerMessage
      creditsWithKnowledge
    }
    publishedVersion {
      ...VersionContent
      model {
        sandbox
        creditsPerMessage
        creditsWithKnowledge
      }
    }
    exports {
      id
      name
      version
    }
  }
}
    fragment DraftContent on Agent {
  instructions
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModel {
    name
    label
  }
}
fragment VersionContent on AgentVersion {
  number
  instructions
  modelName
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  knowledge {
    id
    name
    inDraft
  }
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModelName
  fallbackModel {
    name
    label
  }
}`) as unknown as TypedDocumentString<ReviewQuery, ReviewQueryVariables>;
export const VersionsDocument = new TypedDocumentString(`
    query Versions($id: ID!, $first: Int, $after: String) {
  agent(id: $id) {
    id
    versions(first: $first, after: $after) {
      edges {
        cursor
        node {
          number
          createdAt
          note
          model {
            name
            label
            creditsPerMessage
            creditsWithKnowledge
            available
          }
          publishedBy {
            name
          }
          pinnedBy {
            id
            name
          }
          ratings {
            up
            down
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<VersionsQuery, VersionsQueryVariables>;
export const VersionDocument = new TypedDocumentString(`
    query Version($id: ID!, $number: Int!) {
  agent(id: $id) {
    id
    version(number: $number) {
      ...VersionContent
    }
  }
}
    fragment VersionContent on AgentVersion {
  number
  instructions
  modelName
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  knowledge {
    id
    name
    inDraft
  }
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModelName
  fallbackModel {
    name
    label
  }
}`) as unknown as TypedDocumentString<VersionQuery, VersionQueryVariables>;
export const VersionContentsDocument = new TypedDocumentString(`
    query VersionContents($id: ID!, $first: Int, $after: String) {
  agent(id: $id) {
    id
    versions(first: $first, after: $after) {
      nodes {
        ...VersionContent
      }
    }
  }
}
    fragment VersionContent on AgentVersion {
  number
  instructions
  modelName
  temperature
  maxOutputTokens
  contextTurns
  replySchema
  knowledge {
    id
    name
    inDraft
  }
  actions {
    name
    description
    parameters
  }
  variables {
    name
    description
    required
    defaultValue
  }
  model {
    name
    label
  }
  fallbackModelName
  fallbackModel {
    name
    label
  }
}`) as unknown as TypedDocumentString<VersionContentsQuery, VersionContentsQueryVariables>;
export const VersionGivenDocument = new TypedDocumentString(`
    query VersionGiven($id: ID!, $after: String) {
  agent(id: $id) {
    id
    versions(first: 2, after: $after) {
      nodes {
        number
        knowledge {
          id
        }
        variables {
          name
          description
          required
          defaultValue
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<VersionGivenQuery, VersionGivenQueryVariables>;
export const VersionSuccessDocument = new TypedDocumentString(`
    query VersionSuccess($agentId: ID!, $from: DateTime!, $to: DateTime!) {
  viewer {
    id
    usage(filter: {agentId: $agentId, from: $from, to: $to}, groupBy: [VERSION]) {
      version
      messages
      failed
    }
  }
}
    `) as unknown as TypedDocumentString<VersionSuccessQuery, VersionSuccessQueryVariables>;
export const PinApiExportDocument = new TypedDocumentString(`
    mutation PinApiExport($input: UpdateApiExportInput!) {
  updateApiExport(input: $input) {
    export {
      id
      version
    }
  }
}
    `) as unknown as TypedDocumentString<PinApiExportMutation, PinApiExportMutationVariables>;
export const PublishAgentDocument = new TypedDocumentString(`
    mutation PublishAgent($input: PublishAgentInput!) {
  publishAgent(input: $input) {
    version {
      number
    }
    notReady {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<PublishAgentMutation, PublishAgentMutationVariables>;
export const RestoreAgentVersionDocument = new TypedDocumentString(`
    mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {
  restoreAgentVersion(input: $input) {
    agent {
      id
      updatedAt
    }
  }
}
    `) as unknown as TypedDocumentString<RestoreAgentVersionMutation, RestoreAgentVersionMutationVariables>;
export const DiscardAgentChangesDocument = new TypedDocumentString(`
    mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {
  discardAgentChanges(input: $input) {
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<DiscardAgentChangesMutation, DiscardAgentChangesMutationVariables>;
export const UpdateWebhookDocument = new TypedDocumentString(`
    mutation UpdateWebhook($input: UpdateWebhookInput!) {
  updateWebhook(input: $input) {
    webhook {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation DeleteWebhook($input: DeleteWebhookInput!) {
  deleteWebhook(input: $input) {
    deletedWebhookId
  }
}
    `) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const TestWebhookDocument = new TypedDocumentString(`
    mutation TestWebhook($input: TestWebhookInput!) {
  testWebhook(input: $input) {
    delivery {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<TestWebhookMutation, TestWebhookMutationVariables>;
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
    webhook {
      id
      url
    }
  }
}
    `) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation CreateWebhook($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    secret
    webhook {
      id
      url
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const WebhookDeliveryDocument = new TypedDocumentString(`
    query WebhookDelivery($id: ID!) {
  node(id: $id) {
    __typename
    ... on WebhookDelivery {
      id
      body
      createdAt
      tries
    }
  }
}
    `) as unknown as TypedDocumentString<WebhookDeliveryQuery, WebhookDeliveryQueryVariables>;
export const RetryWebhookDeliveryDocument = new TypedDocumentString(`
    mutation RetryWebhookDelivery($input: RetryWebhookDeliveryInput!) {
  retryWebhookDelivery(input: $input) {
    delivery {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RetryWebhookDeliveryMutation, RetryWebhookDeliveryMutationVariables>;
export const WebhookDeliveriesDocument = new TypedDocumentString(`
    query WebhookDeliveries($id: ID!, $first: Int, $after: String, $failed: Boolean) {
  node(id: $id) {
    __typename
    ... on Webhook {
      id
      deliveries(first: $first, after: $after, failed: $failed) {
        nodes {
          id
          event
          status
          tookMs
          error
          sentAt
          nextTryAt
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const WebhooksDocument = new TypedDocumentString(`
    query Webhooks {
  serviceInfo {
    ownerWebhooks
  }
  viewer {
    id
    webhooks {
      id
      url
      events
      state
      createdBy {
        name
      }
      createdAt
      failingSince
      previousSecretUntil
      dropped
    }
  }
}
    `) as unknown as TypedDocumentString<WebhooksQuery, WebhooksQueryVariables>;
export const MembershipsDocument = new TypedDocumentString(`
    query Memberships {
  me {
    id
    memberships {
      account {
        accountId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MembershipsQuery, MembershipsQueryVariables>;
export const RenewAccessDocument = new TypedDocumentString(`
    mutation RenewAccess {
  renewAccess {
    accessToken
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<RenewAccessMutation, RenewAccessMutationVariables>;
export const AgentChoicesDocument = new TypedDocumentString(`
    query AgentChoices($after: String) {
  agents(first: 100, after: $after) {
    nodes {
      id
      name
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AgentChoicesQuery, AgentChoicesQueryVariables>;
export const ExportChoicesDocument = new TypedDocumentString(`
    query ExportChoices($agentId: ID, $after: String) {
  viewer {
    id
    exports(first: 100, after: $after, filter: {agentId: $agentId}) {
      nodes {
        id
        name
        state
        agent {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExportChoicesQuery, ExportChoicesQueryVariables>;