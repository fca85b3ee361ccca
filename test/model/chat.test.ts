import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, startChatServer } from './chat.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startChatServer();
});
afterAll(() => model.close());

const system = { role: 'system', content: 'You are opencode.' };
const user = (content: string) => ({ role: 'user', content });
const call = { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function' }] };
const result = (content: string) => ({ role: 'tool', tool_call_id: 'c', content });
const bash = { type: 'function', function: { name: 'bash' } };

const post = (messages: object[], tools: object[] = [bash]) =>
  fetch(`${model.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', stream: true, messages: [system, ...messages], tools }),
  });

interface Chunk {
  choices: { delta: { content?: string; tool_calls?: { function: { arguments: string } }[] } }[];
  usage?: { prompt_tokens: number };
}
async function ask(messages: object[], tools?: object[]): Promise<Chunk[]> {
  const said = await (await post(messages, tools)).text();
  expect(said).toMatch(/data: \[DONE\]\n\n$/);
  return [...said.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data as string));
}
/** Each thing that was said or called. */
const items = async (messages: object[], tools?: object[]) =>
  (await ask(messages, tools)).flatMap(({ choices: [choice] }) => {
    const calls = choice?.delta.tool_calls?.map((each) => JSON.parse(each.function.arguments).command);
    return calls ?? (choice?.delta.content ? [choice.delta.content] : []);
  });

describe('what the prompt asks for', () => {
  test('directives run in their order, one tool call per answer', async () => {
    const prompt = user('go [[say first]] [[bashes 2 ls]] [[say last]]');
    expect(await items([prompt])).toEqual(['first', 'ls']);
    expect(await items([prompt, call, result('a')])).toEqual(['ls']);
    expect(await items([prompt, call, result('a'), call, result('b')])).toEqual(['last']);
  });

  test('what is given during a tool loop adds to it', async () => {
    const loop = [user('go [[bash ls]]'), call, result('a'), user('and [[say that too]]')];
    expect(await items(loop)).toEqual(['that too']);
  });

  test('the usage is what the prompt says', async () => {
    expect((await ask([user('[[usage 80000]]')])).at(-1)?.usage?.prompt_tokens).toBe(80_000);
  });

  test('an error is one of the request', async () => {
    const answer = await post([user('[[fail no such thing]]')]);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: 'no such thing' } });
  });

  test('a title is not what the human asked for', async () => {
    expect(await items([user('go [[bash ls]]')], [])).toEqual(['ok']);
  });
});
