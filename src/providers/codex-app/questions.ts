// What an app-server asks a human: which of its requests these are, how they read, and how they are answered.
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
  read(params: Record<string, unknown>): string;
  answer(params: Record<string, unknown>, given: Decision): object;
}

const approval = (_: unknown, { decision }: Decision): ApprovalResponse => ({
  decision: decision === 'allow' ? 'accept' : 'decline',
});

const kinds: Readonly<Record<QuestionMethod, Kind>> = {
  'item/commandExecution/requestApproval': {
    read: (params) => withReason(`command: ${text(params.command) ?? 'unknown'}`, params),
    answer: approval,
  },
  'item/fileChange/requestApproval': {
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

export const answerTo = ({ method, params }: Asked, given: Decision): object =>
  kinds[method].answer(params, given);

/** Only this one takes words of its own; to the others they are told beside the answer. */
export const takesWords = ({ method }: Asked): boolean => method === 'item/tool/requestUserInput';

const under = (folder: string | null): string => (folder === null ? '' : ` under ${folder}`);

function withReason(what: string, params: Record<string, unknown>): string {
  const reason = text(params.reason);
  return reason === null ? what : `${what} (${reason})`;
}
