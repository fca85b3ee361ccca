// What an app-server asks a human: which of its requests these are, how they read, and how they are answered.
import type { ToldCall } from '../../domain/policy/call.ts';
import { baseName, simpleCommand } from '../../domain/policy/shell.ts';
import { patchTool } from '../codex/calls.ts';
import { list, record, text } from '../values.ts';
import type {
  ApprovalResponse,
  PermissionsRequestApprovalResponse,
  QuestionMethod,
  ToolRequestUserInputResponse,
} from './protocol.ts';

export interface Asked {
  readonly method: QuestionMethod;
  readonly params: Record<string, unknown>;
}

type Decision = { readonly decision: 'allow' | 'deny'; readonly text: string | null };

interface Kind {
  /** What it wants to do, where a rule may answer; `files` are those of the change that it asks about. */
  call?(params: Record<string, unknown>, files: readonly string[]): ToldCall | null;
  read(params: Record<string, unknown>): string;
  answer(params: Record<string, unknown>, given: Decision): object;
}

const approval = (_: unknown, { decision }: Decision): ApprovalResponse => ({
  decision: decision === 'allow' ? 'accept' : 'decline',
});

const kinds: Readonly<Record<QuestionMethod, Kind>> = {
  'item/commandExecution/requestApproval': {
    call(params) {
      const command = text(params.command);
      // With a host, it asks for the network and not for the command.
      if (command === null || params.networkApprovalContext) return null;
      return { tool: 'Bash', does: { is: 'command', command: unwrapped(command) }, cwd: text(params.cwd) };
    },
    read: (params) => withReason(`command: ${text(params.command) ?? 'unknown'}`, params),
    answer: approval,
  },
  'item/fileChange/requestApproval': {
    // With a root, it asks for more than this change.
    call: ({ grantRoot }, files) =>
      grantRoot ? null : { tool: patchTool, does: { is: 'edit', paths: files }, cwd: null },
    read: (params) => withReason(`change of files${under(text(params.grantRoot))}`, params),
    answer: approval,
  },
  'item/permissions/requestApproval': {
    read: (params) => withReason(`permissions: ${JSON.stringify(params.permissions ?? {})}`, params),
    answer: (params, { decision }): PermissionsRequestApprovalResponse => ({
      permissions: decision === 'allow' ? record(params.permissions) : {},
      scope: 'turn',
    }),
  },
  'item/tool/requestUserInput': {
    read: (params) =>
      list(params.questions)
        .map((question) => text(record(question).question) ?? '')
        .join('\n'),
    answer: (params, { decision, text: said }): ToolRequestUserInputResponse => ({
      answers: Object.fromEntries(
        list(params.questions).map((question) => [
          text(record(question).id) ?? '',
          { answers: [said ?? (decision === 'allow' ? 'yes' : 'no')] },
        ]),
      ),
    }),
  },
  'mcpServer/elicitation/request': {
    read: (params) => `${text(params.serverName) ?? 'an MCP server'}: ${text(params.message) ?? ''}`,
    answer: (_, { decision }) => ({
      action: decision === 'allow' ? 'accept' : 'decline',
      content: null,
      _meta: null,
    }),
  },
};

export const isQuestion = (method: string): method is QuestionMethod => Object.hasOwn(kinds, method);

export const questionText = ({ method, params }: Asked): string => kinds[method].read(params);

/** Null: only a human can answer it. */
export const callIn = ({ method, params }: Asked, files: readonly string[]): ToldCall | null =>
  kinds[method].call?.(params, files) ?? null;

/** Codex runs every command by a shell, and asks with that. What cannot be read surely stays as it is. */
function unwrapped(command: string): string {
  const read = simpleCommand(command);
  const [shell, option, script, ...more] = 'words' in read ? read.words : [];
  const isShell = shell && /^(ba|da|z|k)?sh$/.test(baseName(shell.text));
  return isShell && option && script && /^-l?c$/.test(option.text) && more.length === 0
    ? script.text
    : command;
}

export const answerTo = ({ method, params }: Asked, given: Decision): object =>
  kinds[method].answer(params, given);

/** Only this one takes words of its own; to the others they are told beside the answer. */
export const takesWords = ({ method }: Asked): boolean => method === 'item/tool/requestUserInput';

const under = (folder: string | null): string => (folder === null ? '' : ` under ${folder}`);

function withReason(what: string, params: Record<string, unknown>): string {
  const reason = text(params.reason);
  return reason === null ? what : `${what} (${reason})`;
}
