// What we say to an app-server of Codex and what we understand of its words: the part of its protocol that we use, by
// the names that its own generator gives. A test holds these against what the pinned version generates.

export type RequestId = string | number;

/** What we ask for. */
export type ClientMethod =
  | 'initialize'
  | 'thread/start'
  | 'thread/resume'
  | 'thread/fork'
  | 'thread/read'
  | 'thread/compact/start'
  | 'turn/start'
  | 'review/start'
  | 'turn/steer'
  | 'turn/interrupt';

/** What we listen to. */
export type HeardMethod =
  | 'turn/started'
  | 'turn/completed'
  | 'item/started'
  | 'item/completed'
  | 'thread/tokenUsage/updated'
  | 'account/rateLimits/updated'
  | 'serverRequest/resolved';

/** What comes with every word or byte; what it adds up to is told when the item is complete. */
export type UnreadMethod =
  | 'item/agentMessage/delta'
  | 'item/plan/delta'
  | 'item/reasoning/summaryTextDelta'
  | 'item/reasoning/summaryPartAdded'
  | 'item/reasoning/textDelta'
  | 'item/commandExecution/outputDelta'
  | 'item/fileChange/outputDelta'
  | 'item/fileChange/patchUpdated'
  | 'item/mcpToolCall/progress'
  | 'turn/diff/updated'
  | 'remoteControl/status/changed';

/** What it asks a human. */
export type QuestionMethod =
  | 'item/commandExecution/requestApproval'
  | 'item/fileChange/requestApproval'
  | 'item/permissions/requestApproval'
  | 'item/tool/requestUserInput'
  | 'mcpServer/elicitation/request';

export interface InitializeParams {
  clientInfo: { name: string; title: string | null; version: string };
  capabilities: {
    experimentalApi: boolean;
    requestAttestation: boolean;
    optOutNotificationMethods: string[];
  };
}

export interface ThreadStartParams {
  cwd: string;
  model?: string;
  sessionStartSource?: 'startup' | 'clear';
}

export interface ThreadResumeParams {
  threadId: string;
  cwd: string;
  model?: string;
  excludeTurns: boolean;
}

/** `threadId`: the thread to copy. */
export type ThreadForkParams = ThreadResumeParams;

/** The answer to a start, to a resume and to a fork. */
export interface ThreadOpened {
  thread: Thread;
  model: string;
}

export interface Thread {
  id: string;
  /** Its rollout, which Codex writes from the first turn on. */
  path: string | null;
  status: ThreadStatus;
}

export type ThreadStatus =
  | { type: 'notLoaded' | 'idle' | 'systemError' }
  | { type: 'active'; activeFlags: ('waitingOnApproval' | 'waitingOnUserInput')[] };

export interface TextInput {
  type: 'text';
  text: string;
  text_elements: never[];
}

export interface TurnStartParams {
  threadId: string;
  input: TextInput[];
}

export interface TurnSteerParams extends TurnStartParams {
  /** It is refused when another turn runs, or none. */
  expectedTurnId: string;
}

export interface TurnInterruptParams {
  threadId: string;
  turnId: string;
}

export interface ReviewStartParams {
  threadId: string;
  target: ReviewTarget;
}

export type ReviewTarget =
  | { type: 'uncommittedChanges' }
  | { type: 'baseBranch'; branch: string }
  | { type: 'commit'; sha: string; title: string | null }
  | { type: 'custom'; instructions: string };

export interface ReviewStartResponse {
  turn: Turn;
  reviewThreadId: string;
}

export interface Turn {
  id: string;
  /** A review runs as a turn inside the one that was asked for, and that inner one is what can be interrupted. */
  rootTurnId: string | null;
  status: 'completed' | 'interrupted' | 'failed' | 'inProgress';
  error: { message: string; codexErrorInfo: unknown } | null;
}

/** Of most items it is enough to know that they began and ended. */
export interface ThreadItem {
  type: string;
  id: string;
}

export interface UserMessage extends ThreadItem {
  type: 'userMessage';
  content: { type: string; text?: string }[];
}

export interface AgentMessage extends ThreadItem {
  type: 'agentMessage';
  text: string;
}

export interface TurnNotification {
  threadId: string;
  turn: Turn;
}

export interface ItemNotification {
  threadId: string;
  turnId: string;
  item: ThreadItem;
}

export interface ThreadTokenUsageUpdatedNotification {
  threadId: string;
  turnId: string;
  tokenUsage: { total: TokenUsage; last: TokenUsage; modelContextWindow: number | null };
}

export interface TokenUsage {
  totalTokens: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
}

/** Of the account, not of a thread. */
export interface AccountRateLimitsUpdatedNotification {
  rateLimits: { primary: RateLimitWindow | null; secondary: RateLimitWindow | null };
}

export interface RateLimitWindow {
  usedPercent: number;
  windowDurationMins: number | null;
  resetsAt: number | null;
}

export interface ServerRequestResolvedNotification {
  threadId: string;
  requestId: RequestId;
}

/** What every request for a human's decision has. */
export interface AskingParams {
  threadId: string;
  turnId: string;
  itemId: string;
}

export interface CommandExecutionRequestApprovalParams extends AskingParams {
  command?: string | null;
  reason?: string | null;
}

export interface FileChangeRequestApprovalParams extends AskingParams {
  reason?: string | null;
  grantRoot?: string | null;
}

export interface PermissionsRequestApprovalParams extends AskingParams {
  reason: string | null;
  permissions: object;
}

export interface ToolRequestUserInputParams extends AskingParams {
  questions: { id: string; question: string }[];
}

export interface ApprovalResponse {
  decision: 'accept' | 'decline';
}

export interface PermissionsRequestApprovalResponse {
  permissions: object;
  scope: 'turn';
}

export interface ToolRequestUserInputResponse {
  answers: { [id: string]: { answers: string[] } };
}
