#!/usr/bin/env node
// A stand-in for an agent that speaks the Agent Client Protocol, with what real ones were seen to do: nothing tells that
// it has a prompt before its first words, a second prompt cancels the first, and a conversation that is loaded is told
// once more from its beginning. The prompt says what it does, in the directives of test/model. Its conversations are in
// $FAKE_ACP_STATE. With --ask, it asks before it runs a command.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const state = process.env.FAKE_ACP_STATE ?? '.';
const asks = process.argv.includes('--ask');
const cannot = process.argv.includes('--no-load');
mkdirSync(state, { recursive: true });

if (process.env.FAKE_END) {
  console.error('bad configuration');
  process.exit(2);
}

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tell = (sessionId, update) => say({ method: 'session/update', params: { sessionId, update } });
const fileOf = (id) => join(state, `${id}.jsonl`);
const keep = (id, role, text) => appendFileSync(fileOf(id), `${JSON.stringify({ role, text })}\n`);
const chunk = (role, text) => ({ sessionUpdate: `${role}_message_chunk`, content: { type: 'text', text } });
const waiting = new Map();
/** The turn that runs in each conversation. */
const turns = new Map();
const places = new Map();
let requests = 0;

const ask = (method, params) =>
  new Promise((resolve) => {
    const id = requests++;
    waiting.set(id, resolve);
    say({ id, method, params });
  });

const pause = (turn, ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    turn.cut.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

function run(turn, command, cwd) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    turn.cut.then(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {}
    });
    child.on('exit', () => resolve(output));
    turn.cut.then(() => resolve(output));
  });
}

async function tool(id, turn, command) {
  const toolCallId = `call-${randomUUID()}`;
  const about = { toolCallId, title: command, kind: 'execute', rawInput: { command } };
  tell(id, { sessionUpdate: 'tool_call', status: 'pending', ...about });
  if (asks) {
    const options = [
      { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
      { optionId: 'no', kind: 'reject_once', name: 'No' },
    ];
    const { result } = await ask('session/request_permission', { sessionId: id, toolCall: about, options });
    if (result?.outcome?.optionId !== 'yes') {
      tell(id, { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
      return { denied: true };
    }
  }
  tell(id, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
  const output = await run(turn, command, places.get(id));
  if (!turn.isCut) tell(id, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  return { output };
}

async function work(id, turn, text) {
  const steps = [...text.matchAll(/\[\[(\w+)(?:\s+([\s\S]*?))?\]\]/g)];
  let last = `ECHO ${text.length} chars`;
  let spoke = false;
  const words = (said) => {
    spoke = true;
    keep(id, 'agent', said);
    tell(id, chunk('agent', said));
  };
  if (text.includes('NONSENSE')) {
    process.stdout.write(
      'Warning: something\n\n{"half": \n[1]\n{"jsonrpc":"2.0","id":"nobody","result":{}}\n',
    );
    tell('another', chunk('agent', 'not ours'));
    say({ method: 'session/update', params: null });
    say({ method: 'no/such/thing' });
  }
  if (text.includes('DIE')) process.exit(3);
  if (text.includes('WANT')) {
    const { error } = await ask('fs/read_text_file', { sessionId: id, path: '/etc/passwd' });
    words(`heard: ${error?.message}`);
  }
  if (text.includes('TWO QUESTIONS')) {
    const both = await Promise.all([tool(id, turn, 'true one'), tool(id, turn, 'true two')]);
    words(both.map(({ denied }) => (denied ? 'no' : 'yes')).join(' and '));
  }
  for (const [, name, argument = ''] of steps) {
    if (turn.isCut) return;
    if (name === 'say') words(argument);
    if (name === 'fail') throw new Error(argument);
    if (name === 'usage') tell(id, { sessionUpdate: 'usage_update', used: Number(argument), size: 200_000 });
    if (name === 'sleep' || (name === 'hang' && argument !== 'silent'))
      for (let i = 0; i < 10 * (Number(argument) || 600) && !turn.isCut; i += 1) {
        tell(id, chunk('agent', `word${i} `));
        await pause(turn, 100);
      }
    if (name === 'hang' && argument === 'silent') await pause(turn, 600_000);
    if (name === 'bash') {
      const { denied, output } = await tool(id, turn, argument);
      if (denied) return;
      last = `DONE: ${output}`;
    }
  }
  if (!spoke && !turn.isCut) words(last);
}

async function prompt(id, text) {
  turns.get(id)?.cancel();
  const turn = { isCut: false };
  turn.cut = new Promise((resolve) => {
    turn.cancel = () => {
      turn.isCut = true;
      resolve();
    };
  });
  turns.set(id, turn);
  keep(id, 'user', text);
  try {
    await work(id, turn, text);
    return { result: { stopReason: turn.isCut ? 'cancelled' : 'end_turn' } };
  } catch (error) {
    return { error: { code: -32603, message: `Internal error: ${error.message}` } };
  } finally {
    if (turns.get(id) === turn) turns.delete(id);
  }
}

function load({ sessionId, cwd }) {
  if (!existsSync(fileOf(sessionId))) return { error: { code: -32002, message: 'Resource not found' } };
  places.set(sessionId, cwd);
  const lines = readFileSync(fileOf(sessionId), 'utf8').split('\n').filter(Boolean);
  for (const { role, text } of lines.map((line) => JSON.parse(line))) tell(sessionId, chunk(role, text));
  return { result: {} };
}

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: Number(process.env.FAKE_ACP_VERSION ?? 1),
          agentCapabilities: { loadSession: !cannot },
          agentInfo: { name: 'fake', version: '1.0.0' },
        },
      };
    case 'session/new': {
      if (process.env.FAKE_LOGIN) return { error: { code: -32000, message: 'Authentication required' } };
      const sessionId = randomUUID();
      places.set(sessionId, params.cwd);
      return { result: { sessionId } };
    }
    case 'session/load':
      return load(params);
    case 'session/prompt':
      return prompt(params.sessionId, params.prompt[0].text);
    default:
      return { error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, ...rest } = JSON.parse(line);
  if (method === 'session/cancel') turns.get(params.sessionId)?.cancel();
  else if (method === undefined) waiting.get(id)?.(rest);
  else if (id !== undefined) say({ id, ...(await answer(method, params)) });
});
