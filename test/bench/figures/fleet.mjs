// What other machines cost: two nodes on one NATS server of this machine, and many simulated ones.
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { buildNodes, startNodes } from '../fleet-simulation.mjs';
import { timeToAccepted, withItsTurn } from '../messages.mjs';
import { hasNats, startNats } from '../nats.mjs';
import { dist } from '../paths.mjs';
import { cpuNanoseconds, idleCpu, residentMiB, timeProcess } from '../processes.mjs';
import { round } from '../report.mjs';
import { interleave, median, percentile } from '../statistics.mjs';
import { untilTrue } from '../until.mjs';

const rounds = 60;
const idleSessions = 100;
const idleSeconds = 20;
const nodeCount = Number(process.env.BENCH_FLEET_NODES ?? 100);
const sessionsEach = 100;
const perProcess = 10;
const burst = 200;

export async function measure() {
  if (!hasNats()) return [];
  return [...(await two()), ...(await many())];
}

const startNode = (nats, name) => startDaemon({ fleet: { node: name, servers: [nats.url] } });
const nodesOf = async (node) => (await node.call('GET', '/nodes')).nodes;
const sessionsOf = async (node, name) =>
  (await nodesOf(node)).find((each) => each.name === name)?.sessions ?? 0;

async function two() {
  const nats = await startNats();
  const [here, there] = [await startNode(nats, 'here'), await startNode(nats, 'there')];
  const [worker] = await startSessions(there, 1, { provider: 'scripted' });
  await untilTrue(async () => (await sessionsOf(here, 'there')) === 1);
  const remote = `${worker.id}@there`;
  const samples = await interleave(rounds, {
    local: () => withItsTurn(there, worker.id, () => timeOfOurs(there, worker.id)),
    remote: () => withItsTurn(there, worker.id, () => timeOfOurs(here, remote)),
  });
  const ours = (of) => samples[of].map((each) => each.ours);
  const whole = (of) => samples[of].map((each) => each.whole);
  const send = {
    name: 'fleet-send',
    what: 'send to another node: over a local send',
    value: median(ours('remote')) - median(ours('local')),
    unit: 'ms',
    goal: { atMost: 5 },
    detail:
      `p50 of ${rounds}, without the time from typed to accepted, which is the agent's; ` +
      `local ${round(median(ours('local')))}, remote ${round(median(ours('remote')))}, its p95 ${round(percentile(ours('remote'), 95))} ms; ` +
      `with it ${round(median(whole('local')))} and ${round(median(whole('remote')))} ms`,
  };
  return [send, ...(await idle(nats, here)), await away(here, there)];
}

/** From the request until its answer says that it is accepted. */
async function timeOfOurs(daemon, to) {
  let id;
  const remembering = {
    ...daemon,
    call: async (...args) => {
      const answer = await daemon.call(...args);
      id ??= answer.message_id;
      return answer;
    },
  };
  const whole = await timeToAccepted(remembering, to, 'hello');
  const { events } = await daemon.call('GET', `/messages/${id}`);
  const at = (state) => Date.parse(events.find((each) => each.state === state).at);
  return { whole, ours: whole - (at('accepted') - at('typed')) };
}

/** A node with sessions that do nothing: what goes over its line, and what it costs more than one that is alone. */
async function idle(nats, other) {
  const [node, alone] = [await startNode(nats, 'idle'), await startDaemon()];
  await Promise.all([startSessions(node, idleSessions), startSessions(alone, idleSessions)]);
  await untilTrue(async () => (await sessionsOf(other, 'idle')) === idleSessions);
  const bytes = async () => {
    const { connections } = await (await fetch(`${nats.monitor}/connz?limit=100`)).json();
    const { in_bytes, out_bytes } = connections.find(({ name }) => name === 'idle');
    return in_bytes + out_bytes;
  };
  await delay(2_000);
  const [before, began] = [await bytes(), performance.now()];
  const spans = await idleCpu(
    [node, alone].map(
      ({ pid }) =>
        () =>
          cpuNanoseconds(pid) / 1e9,
    ),
    idleSeconds,
  );
  const traffic = ((await bytes()) - before) / ((performance.now() - began) / 1_000);
  const [inFleet, byItself] = [0, 1].map((at) => median(spans.map((each) => each[at])));
  await Promise.all([node, alone].map(({ pid }) => endProcess(pid)));
  return [
    {
      name: 'fleet-idle-traffic',
      what: `idle node with ${idleSessions} sessions: over its line`,
      value: traffic / 1_000,
      unit: 'KB/s',
      goal: { atMost: 1 },
      detail: 'both ways, with two other nodes',
    },
    {
      name: 'fleet-idle-cpu',
      what: `idle node with ${idleSessions} sessions: CPU for the fleet`,
      value: inFleet - byItself,
      unit: '%',
      goal: { atMost: 0.1 },
      detail: `of one core; ${round(inFleet)} % in the fleet, ${round(byItself)} % alone`,
    },
  ];
}

async function away(here, there) {
  await endProcess(there.pid, 'SIGKILL');
  const isAway = async () => (await nodesOf(here)).find(({ name }) => name === 'there').state === 'away';
  const took = await untilTrue(isAway);
  return {
    name: 'fleet-away',
    what: 'a node that was killed is away',
    value: took / 1_000,
    unit: 's',
    goal: { atMost: 12 },
  };
}

/** A fleet of many nodes, most of them simulated, one of them a real daemon. */
async function many() {
  await buildNodes();
  const nats = await startNats();
  const names = Array.from({ length: nodeCount - 1 }, (_, number) => `n${number + 1}`);
  const groups = names.reduce((all, name, at) => {
    if (at % perProcess === 0) all.push([]);
    all.at(-1).push(name);
    return all;
  }, []);
  const others = (nodeCount - 2) * sessionsEach;
  const daemon = await startNode(nats, 'real');
  const [one] = await startSessions(daemon, 1);
  const template = JSON.stringify(await daemon.call('GET', `/sessions/${one.id}`))
    .replaceAll(one.id, 'ID')
    .replaceAll('claude-ID', 'NAME');
  const first = await startNodes(nats.url, groups, { view: template, sessions: sessionsEach });
  await first.askAll({ known: others });
  await first.kill();
  const began = performance.now();
  const nodes = await startNodes(nats.url, groups, { view: template, sessions: sessionsEach });
  const up = performance.now();
  const sizes = await nodes.askAll({ known: others });
  const converged = performance.now();
  await untilTrue(
    async () =>
      (await nodesOf(daemon)).filter(({ sessions }) => sessions === sessionsEach).length === nodeCount - 1,
  );
  const list = () => timeProcess(process.execPath, [`${dist}/sm.cjs`, 'all'], { env: daemon.env });
  const firstList = list();
  const lists = Array.from({ length: 9 }, list);
  const sendBegan = performance.now();
  await nodes.askAll({ burst, all: nodeCount - 1 });
  const perSecond = ((nodeCount - 1) * burst * 1_000) / (performance.now() - sendBegan);
  return [
    {
      name: 'fleet-converged',
      what: `${nodeCount} nodes, ${nodeCount * sessionsEach} sessions: all know all after a restart of all`,
      value: (converged - up) / 1_000,
      unit: 's',
      goal: { atMost: 5 },
      detail: `in ${groups.length} processes on this machine; ${round((converged - began) / 1_000)} s with the start of the processes`,
    },
    {
      name: 'fleet-all',
      what: `sm all with ${nodeCount * sessionsEach} sessions`,
      value: median(lists),
      unit: 'ms',
      goal: { atMost: 300 },
      detail: `p50 of ${lists.length}; the first ${round(firstList)} ms`,
    },
    {
      name: 'fleet-throughput',
      what: 'remote messages: sent, stored, told of',
      value: perSecond,
      unit: '/s',
      goal: { atLeast: 2_000 },
      detail: `${(nodeCount - 1) * burst} of them between ${nodeCount - 1} nodes of this machine`,
    },
    {
      name: 'fleet-memory',
      what: 'a node of such a fleet: resident memory',
      value: residentMiB(daemon.pid),
      unit: 'MiB',
      goal: { atMost: 250 },
      detail: `the real daemon; of the simulated ones ${round(Math.max(...sizes.map(({ memory }) => memory)))} MiB for ${perProcess} of them`,
    },
  ];
}
