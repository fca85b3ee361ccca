import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from './anthropic.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());

const user = (...texts: string[]) => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] };
const result = (content: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content }],
});

function post(messages: object[], more: object = {}) {
  const body = { model: 'any', tools: [{ name: 'Bash' }], messages, ...more };
  return fetch(`${model.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
}

interface Answer {
  content: { type: string; text?: string; name?: string; input?: { command?: string } }[];
  stop_reason: string;
  usage: { input_tokens: number };
}
const ask = async (...messages: object[]) => (await (await post(messages)).json()) as Answer;
const words = async (...messages: object[]) =>
  (await ask(...messages)).content.map(({ text }) => text).join(' ');

describe('what the prompt asks for', () => {
  test('a prompt without directives is echoed', async () => {
    expect(await words(user('two\nlines'))).toBe('ECHO 9 chars: two\\nlines');
  });

  test('directives run in their order, one tool call per answer', async () => {
    const prompt = user('go [[say first]] [[bashes 2 ls]] [[say last]]');
    const first = await ask(prompt);
    expect(first.content.map((block) => block.text ?? block.input?.command)).toEqual(['first', 'ls']);
    expect(first.stop_reason).toBe('tool_use');
    const second = await ask(prompt, call, result('a'));
    expect(second.content.map((block) => block.input?.command)).toEqual(['ls']);
    expect(await words(prompt, call, result('a'), call, result('b'))).toBe('last');
  });

  test('the usage is what the prompt says', async () => {
    expect((await ask(user('[[usage 130000]]'))).usage.input_tokens).toBe(130_000);
  });

  test('a failure is an error that is not retried', async () => {
    const response = await post([user('[[fail no luck]]')]);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.text()).toContain('no luck');
  });

  test('a prompt that is too long is refused once', async () => {
    expect((await post([user('[[toolong]] once')])).status).toBe(400);
    expect((await post([user('[[toolong]] once')])).status).toBe(200);
  });

  test('words in double brackets that are no directive are prose', async () => {
    expect(await words(user('see [[Some page]]'))).toContain('ECHO 17 chars');
  });
});

describe('whose text it is', () => {
  test('the newest human text steers, also when interrupted ones stand before it in the same message', async () => {
    const merged = user(
      '<system-reminder>x</system-reminder>',
      'old [[say old]]',
      '[Request interrupted by user]',
      'new [[say new]]',
      '<system-reminder>y</system-reminder>',
    );
    expect(await words(merged)).toBe('new');
  });

  test('results of tools before the newest text do not count for it', async () => {
    expect(await words(user('[[bash ls]]'), call, result('cut'), user('now [[say this]]'))).toBe('this');
  });

  test('text typed during a tool loop adds to what is to be done', async () => {
    const typed =
      'out\n<system-reminder>\nThe user sent a new message while you were working:\nalso [[say that]]\n\nThis is how …</system-reminder>';
    const prompt = user('[[bashes 2 ls]]');
    expect((await ask(prompt, call, result(typed))).stop_reason).toBe('tool_use');
    expect(await words(prompt, call, result(typed), call, result('out'))).toBe('that');
  });

  test('queries of the agent itself get a short text, and a compaction its summary', async () => {
    expect(await (await post([user('[[bash ls]]')], { tools: [] })).text()).toContain('"ok"');
    expect(await words(user('Your task is to create a detailed summary of the conversation'))).toContain(
      '<summary>',
    );
  });
});

test('a stream that hangs says a few words, and silently hanging none; closing the server ends both', async () => {
  const own = await startModelServer();
  const start = async (prompt: string) => {
    const body = JSON.stringify({
      model: 'any',
      stream: true,
      tools: [{ name: 'Bash' }],
      messages: [user(prompt)],
    });
    const response = await fetch(`${own.url}/v1/messages`, { method: 'POST', body });
    return response.body!.pipeThrough(new TextDecoderStream()).getReader();
  };
  const [speaking, silent] = [await start('[[hang]]'), await start('[[hang silent]]')];

  let heard = '';
  for (let end = false; !end && !heard.includes('text_delta'); ) {
    const { value, done } = await speaking.read();
    heard += value ?? '';
    end = done;
  }
  expect(heard).toContain('text_delta');
  expect((await silent.read()).value).not.toContain('text_delta');
  await own.close();
  await expect(speaking.read()).rejects.toThrow();
  await expect(silent.read()).rejects.toThrow();
});

test('a request can be waited for, and one that never comes is said with what came instead', async () => {
  const coming = model.waitForRequest(({ prompt }) => prompt === 'wait for me');
  await ask(user('wait for me'));
  expect((await coming).isSideQuery).toBe(false);
  await expect(model.waitForRequest(() => false, 10)).rejects.toThrow('wait for me');
});
