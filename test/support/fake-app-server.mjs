#!/usr/bin/env node
// A stand-in for `codex app-server` with the faults that the real one cannot be asked for. The prompt says what it does.
import { createInterface } from 'node:readline';

if (process.env.FAKE_END) {
  console.error('bad configuration');
  process.exit(2);
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const tell = (method, params) => say({ method, params, emittedAtMs: Date.now() });
const waiting = new Map();
let threads = 0;
let turns = 0;
let requests = 0;

/** Asks our side something and waits for what it says. */
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = requests++;
    waiting.set(id, (answer) => {
      tell('serverRequest/resolved', { threadId: params.threadId, requestId: id });
      resolve(answer);
    });
    say({ id, method, params });
  });

const approval = (threadId, turnId, itemId) =>
  ask('item/commandExecution/requestApproval', { threadId, turnId, itemId, command: `run ${itemId}` });

async function turn(threadId, text) {
  const turnId = `turn-${++turns}`;
  const item = (what, body) => tell(`item/${what}`, { threadId, turnId, item: body });
  const words = (text) => item('completed', { type: 'agentMessage', id: `m${turns}`, text });
  const over = (status = 'completed') =>
    tell('turn/completed', { threadId, turn: { id: turnId, status, error: null } });
  item('started', { type: 'userMessage', id: `u${turns}`, content: [{ type: 'text', text }] });
  if (text.includes('NONSENSE')) {
    process.stdout.write(
      'thread panicked at src/main.rs\n\n{"half": \n[1, 2]\n"words"\n{"id":"nobody","result":{}}\n',
    );
    tell('item/started', null);
    tell('turn/completed', { threadId: 'another', turn: { id: 'another', status: 'failed' } });
    tell('no/such/thing', { threadId });
  }
  if (text.includes('FLOOD'))
    for (let i = 0; i < 3_000; i += 1)
      tell('item/commandExecution/outputDelta', { threadId, turnId, itemId: 'f', delta: 'x'.repeat(1_000) });
  if (text.includes('DIE')) {
    console.error('fatal: the model is on fire');
    process.exit(3);
  }
  if (text.includes('WANT')) {
    const { error } = await ask('attestation/generate', { threadId });
    words(`heard: ${error?.message}`);
  }
  if (text.includes('TWO QUESTIONS')) {
    const answers = await Promise.all([approval(threadId, turnId, 'one'), approval(threadId, turnId, 'two')]);
    words(answers.map(({ result }) => result?.decision).join(' and '));
  }
  if (text.includes('INNER')) {
    tell('item/started', {
      threadId: 'inner',
      turnId: 'i1',
      item: { type: 'userMessage', id: 'iu', content: [] },
    });
    const { result } = await approval('inner', 'i1', 'inner-one');
    tell('turn/completed', { threadId: 'inner', turn: { id: 'i1', status: 'completed', error: null } });
    words(`inner: ${result?.decision}`);
  }
  if (text.includes('WHICH COLOUR')) {
    const questions = [{ id: 'q1', question: 'Which colour?' }];
    const { result } = await ask('item/tool/requestUserInput', { threadId, turnId, itemId: 'q', questions });
    words(`it is ${result?.answers?.q1?.answers?.[0]}`);
  }
  if (text.includes('DONE')) words('done');
  over();
}

const opened = (id) => ({ thread: { id, path: null, status: { type: 'idle' } }, model: 'fake' });

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return { result: { userAgent: 'fake' } };
    case 'thread/start':
      if (params.model === 'no-such-model') return { error: { code: -1, message: 'there is no such model' } };
      return { result: opened(`thread-${process.pid}-${++threads}`) };
    case 'thread/read':
      return { result: opened(params.threadId) };
    case 'turn/start':
      setImmediate(() => turn(params.threadId, params.input[0].text));
      return { result: { turn: { id: `turn-${turns + 1}` } } };
    default:
      return { result: {} };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, ...rest } = JSON.parse(line);
  if (id === undefined) return;
  if (method !== undefined) say({ id, ...answer(method, params) });
  else waiting.get(id)?.(rest);
});
