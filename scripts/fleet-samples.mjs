// Writes what the guide shows of a fleet: runs the commands on real daemons and real NATS servers of this machine, and puts what they
// print into the blocks that are marked so. Only paths, addresses and the long text of the invitation are written as a reader would have them.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'sm-s-'));
const servers = [];
const machines = [];

function machine(name, fleet = null) {
  const home = join(folder, name);
  const work = join(home, 'model');
  mkdirSync(work, { recursive: true });
  const config = join(home, 'config.yaml');
  writeFileSync(config, JSON.stringify({ server: { port: 0 }, ...(fleet && { fleet }) }));
  const state = join(home, 's');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SM_HOME: state,
    SM_CONFIG: config,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
  };
  const sm = (...args) => {
    const program = [join(root, 'dist/sm.cjs'), ...args];
    return execFileSync('sh', ['-c', '"$@" 2>&1', 'sh', process.execPath, ...program], {
      env,
      cwd: work,
      encoding: 'utf8',
    });
  };
  const it = { name, state, work, sm };
  machines.push(it);
  return it;
}

async function serve(config) {
  const server = spawn('nats-server', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  servers.push(server);
  let said = '';
  server.stderr.on('data', (chunk) => {
    said += chunk;
  });
  while (!said.includes('Server is ready')) {
    if (server.exitCode !== null) throw new Error(said);
    await delay(20);
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function until(ask, fits) {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = ask();
    if (fits.test(answer)) return answer;
    await delay(100);
  }
  throw new Error(`it never showed ${fits}: ${ask()}`);
}

/** Each is what was typed and what was printed. */
const samples = {};
const shown = (name, lines) => {
  samples[name] = lines
    .map(([typed, printed]) => `$ ${typed}\n${printed.trimEnd()}`)
    .join('\n')
    .replaceAll(/sm-fleet-2\.(.{14})\S*/g, 'sm-fleet-2.$1…');
};

async function atHome() {
  const [hub, gpu] = [machine('hub'), machine('gpu1')];
  const port = await freePort();
  const made = hub.sm('fleet', 'init', '--host', '127.0.0.2', '--port', String(port), '--node', 'hub');
  await serve(join(hub.state, 'fleet/server/nats.conf'));
  hub.sm('up');
  await until(() => hub.sm('nodes'), /hub \(this one\) +here +0 +\S+ +\S+ ms/);
  const invited = hub.sm('fleet', 'invite', 'gpu1');
  const [join1] = invited.split('\n');
  const joined = gpu.sm(...join1.split(' ').slice(1), '--label', 'gpu');
  const plain = (text) =>
    text
      .replaceAll(hub.state, '~/.local/state/sm')
      .replaceAll(gpu.state, '~/.local/state/sm')
      .replaceAll(`127.0.0.2:${port}`, 'hub.example.com:4222');
  writeFileSync(
    join(gpu.state, 'fleet/node.yaml'),
    readFileSync(join(gpu.state, 'fleet/node.yaml'), 'utf8').replace(
      'allow: [look, send]',
      'allow: [look, send, spawn]',
    ),
  );
  gpu.sm('up');
  await until(() => hub.sm('nodes'), /gpu1 +here +0 +\S+ +\S+ ms/);
  shown('init', [
    ['sm fleet init --host hub.example.com --node hub', plain(made)],
    ['sm fleet invite gpu1', plain(invited)],
  ]);
  shown('join', [[`${join1} --label gpu`, plain(joined)]]);
  const spawned = hub.sm(
    'spawn',
    'scripted',
    '[[say The loss is 0.31.]]',
    '--on',
    'gpu1',
    '--working-dir',
    gpu.work,
    '--name',
    'train',
    '--wait',
    '60',
  );
  shown('spawn', [
    [
      'sm spawn scripted "[[say The loss is 0.31.]]" --on gpu1 --working-dir /srv/model --name train --wait 60',
      spawned.replaceAll(gpu.work, '/srv/model'),
    ],
  ]);
  const all = await until(() => hub.sm('all'), /train .* idle/);
  shown('nodes', [['sm nodes', await until(() => hub.sm('nodes'), /gpu1 +here +1/)]]);
  shown('all', [['sm all', all.replaceAll(gpu.work, '/srv/model')]]);
  const sent = hub.sm('send', 'train@gpu1', 'Run the slow suite.');
  const [, id] = /#(\w+)/.exec(sent);
  const trace = await until(() => hub.sm('trace', id), /Now: answered/);
  shown('trace', [
    ['sm send train@gpu1 "Run the slow suite."', sent],
    [`sm trace ${id}`, trace],
  ]);
}

async function inCluster() {
  const names = ['n1', 'n2', 'n3'];
  const [ports, routes] = [[], []];
  for (const _ of names) {
    ports.push(await freePort());
    routes.push(await freePort());
  }
  for (const [at, name] of names.entries()) {
    const file = join(folder, `${name}.conf`);
    const all = routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
    writeFileSync(
      file,
      `server_name: ${name}\nlisten: "127.0.0.1:${ports[at]}"\njetstream { store_dir: "${join(folder, name)}" }\n` +
        `cluster { name: sm, listen: "127.0.0.1:${routes[at]}", routes: [${all}] }\n`,
    );
    void serve(file);
  }
  const urls = ports.map((port) => `nats://127.0.0.1:${port}`);
  const [laptop, gpu1, gpu2] = ['laptop', 'gpu1', 'gpu2'].map((node) =>
    machine(`c-${node}`, { node, servers: urls, replicas: 3, labels: node === 'laptop' ? [] : ['gpu'] }),
  );
  for (const each of [laptop, gpu1, gpu2]) each.sm('up');
  const here = /gpu1 +here +0 +\S+ +\S+ ms[\s\S]*gpu2 +here +0 +\S+ +\S+ ms/;
  shown('cluster', [['sm nodes', await until(() => laptop.sm('nodes'), here)]]);
  gpu2.sm('down');
  shown('away', [['sm nodes', await until(() => laptop.sm('nodes'), /gpu2 +away/)]]);
}

try {
  await atHome();
  await inCluster();
  for (const page of ['fleet.md', 'fleet-cluster.md']) {
    const file = join(root, 'docs/guide', page);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replaceAll(/<!-- sample (\w+) -->\n```\n[\s\S]*?```/g, (_, name) => {
        if (!(name in samples)) throw new Error(`there is no sample ${name}`);
        return `<!-- sample ${name} -->\n\`\`\`\n${samples[name]}\n\`\`\``;
      }),
    );
  }
} finally {
  for (const { sm } of machines) {
    try {
      sm('kill', 'train', '--yes');
    } catch {
      // It has none.
    }
    sm('down');
  }
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
}
