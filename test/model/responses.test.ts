import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, startResponsesServer } from './responses.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startResponsesServer();
});
afterAll(() => model.close());

const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});
const user = (text: string) => message('user', text);
const surroundings = user('<environment_context>\n  <cwd>/workspace</cwd>\n</environment_context>');
const cut = user('<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>');
const call = { type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'c' };
const result = (output: string) => ({ type: 'function_call_output', call_id: 'c', output });

const post = (input: object[], tools: object[] = [{ type: 'function', name: 'exec_command' }]) =>
  fetch(`${model.url}/v1/responses`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'any',
      stream: true,
      input: [message('developer', 'be'), ...input],
      tools,
    }),
  });

interface Event {
  type: string;
  item?: { type: string; content?: { text: string }[]; arguments?: string };
  response?: { usage?: { total_tokens: number } };
}
const ask = async (...input: object[]): Promise<Event[]> =>
  [...(await (await post(input)).text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
/** Each thing that was said or called. */
const items = async (...input: object[]) =>
  (await ask(...input))
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => item?.content?.[0]?.text ?? JSON.parse(item?.arguments ?? '{}').cmd);

describe('what the prompt asks for', () => {
  test('a prompt without directives is echoed, whatever the agent puts around it', async () => {
    expect(await items(surroundings, user('two\nlines'))).toEqual(['ECHO 9 chars: two\\nlines']);
  });

  test('directives run in their order, one tool call per answer', async () => {
    const prompt = user('go [[say first]] [[bashes 2 ls]] [[say last]]');
    expect(await items(prompt)).toEqual(['first', 'ls']);
    expect(await items(prompt, call, result('a'))).toEqual(['ls']);
    expect(await items(prompt, call, result('a'), call, result('b'))).toEqual(['last']);
  });

  test('the usage is what the prompt says', async () => {
    const completed = (await ask(user('[[usage 130000]]'))).at(-1);
    expect(completed).toMatchObject({ type: 'response.completed' });
    expect(completed?.response?.usage?.total_tokens).toBe(130_000);
  });

  test('a failure is an error of the request, and one behind words breaks off the stream', async () => {
    const response = await post([user('[[fail no luck]]')]);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('no luck');
    expect((await ask(user('[[say well]] [[fail no luck]]'))).at(-1)?.type).toBe('response.failed');
  });

  test('a prompt that is too long is refused once', async () => {
    expect((await post([user('[[toolong]] once')])).status).toBe(400);
    expect((await post([user('[[toolong]] once')])).status).toBe(200);
  });
});

describe('whose text it is', () => {
  test('text typed during a tool loop adds to what is to be done', async () => {
    const before = [user('[[bashes 2 ls]]'), call, result('out'), user('also [[say that]]')];
    expect(await items(...before)).toEqual(['ls']);
    expect(await items(...before, call, result('out'))).toEqual(['that']);
  });

  test('what follows an interrupted turn is a prompt of its own', async () => {
    const before = [user('[[bashes 2 ls]]'), call, result('aborted'), cut];
    expect(await items(...before, user('now [[say this]]'))).toEqual(['this']);
    expect(await items(...before, user('now [[bash pwd]]'), call, result('out'))).toEqual([
      expect.stringContaining('DONE after 1 tool rounds'),
    ]);
  });

  test('queries of the agent itself get a short text, and a compaction its summary', async () => {
    expect(await (await post([user('[[bash ls]]')], [])).text()).toContain('"ok"');
    expect(
      await items(user('[[bash ls]]'), user('You are performing a CONTEXT CHECKPOINT COMPACTION.')),
    ).toEqual([expect.stringContaining('<summary>')]);
  });
});
