// Puts the program together, in the order in which it must start, and takes it apart in the reverse.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createDocuments } from '../documents/documents.ts';
import { isNamed } from '../domain/core/event.ts';
import type { Session } from '../domain/core/session.ts';
import type { Settings } from '../domain/core/settings.ts';
import type { Prices } from '../domain/core/spending.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { callPlacing } from '../intake/calls.ts';
import { followCheckouts } from '../intake/checkouts.ts';
import { findConversations } from '../intake/conversations.ts';
import { createIntake } from '../intake/intake.ts';
import { openSpool } from '../intake/spool.ts';
import { watchSpools } from '../intake/spool-watch.ts';
import { followFile } from '../intake/tail.ts';
import { followTranscripts } from '../intake/transcripts.ts';
import type { Log } from '../ports/log.ts';
import type { Policies } from '../ports/policies.ts';
import type { Random } from '../ports/random.ts';
import { paneName } from '../ports/terminal.ts';
import { standard } from '../providers/cards.ts';
import { mannersAmong } from '../providers/manners.ts';
import { createVersions } from '../providers/versions.ts';
import { createSandboxes } from '../sandbox/sandboxes.ts';
import { searchBeside } from '../search/search.ts';
import { createApp } from '../server/app.ts';
import { callerKeys } from '../server/caller-keys.ts';
import { createCodes } from '../server/codes.ts';
import { createDevices } from '../server/devices.ts';
import { createHookListener } from '../server/hooks.ts';
import { type Doors, openDoors } from '../server/listen.ts';
import { openPage } from '../server/page.ts';
import type { RemindSettings } from '../server/reminders.ts';
import { createScreens } from '../server/screens.ts';
import type { Service } from '../server/service.ts';
import { siteOf } from '../server/site.ts';
import { createStream } from '../server/stream.ts';
import { sessionViews } from '../server/view.ts';
import { createViewTexts } from '../server/view-texts.ts';
import { createWaitingHooks } from '../server/waiting-hooks.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { bootId } from '../terminal/boot.ts';
import { processEnds } from '../terminal/process-identity.ts';
import { processes } from '../terminal/processes.ts';
import { createTmuxTerminal } from '../terminal/tmux-terminal.ts';
import { viewers } from '../terminal/viewers.ts';
import { createWorktrees } from '../worktrees/worktrees.ts';
import { actsOf } from './acts.ts';
import { createBoxes } from './boxes.ts';
import { systemClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import { crashPointsOf } from './crash.ts';
import { deviceFile } from './device-file.ts';
import { createDrivers } from './drivers.ts';
import { agentEnvironment, cleanEnvironment, programEnvironment } from './environment.ts';
import { allowedTo, type FleetService, fleetIn, joinFleet, oweAbroad } from './fleet.ts';
import { isGoingDown } from './going-down.ts';
import { forgetHistory } from './history.ts';
import { tellMaking } from './making.ts';
import { takeSecrets } from './notify-config.ts';
import { forgetFiles } from './old-files.ts';
import { doorWithoutToken } from './open-door.ts';
import { ownVariableFiles } from './own-variables.ts';
import { createPaneDriver } from './pane-driver.ts';
import { reconcilePanes } from './panes.ts';
import type { Paths } from './paths.ts';
import { openPolicies } from './policies.ts';
import { withOurTools } from './profiles.ts';
import { createProviders } from './providers.ts';
import { pushKeys } from './push-keys.ts';
import { createRunner } from './runner.ts';
import { keepStatusLine } from './status-line.ts';
import { readTeamFile } from './team-file.ts';
import { tellOutside } from './telling.ts';
import { warn } from './warnings.ts';

export interface Daemon {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startDaemon(paths: Paths, config: Config, log: Log, version: string): Promise<Daemon> {
  const store = openSqliteStore(paths.database, join(paths.dist, 'write-back.cjs'));
  const [lastTold] = await store.events({ after: 0, limit: 1, last: true });
  const clock = systemClock(lastTold?.at);
  const random: Random = {
    uuid: randomUUID,
    hex: (length) => randomBytes(length).toString('hex').slice(0, length),
  };
  const crash = crashPointsOf(process.env);
  const fleetSettings = fleetIn(config, paths.home);
  const policies = openPolicies(config, paths);
  const secret = readSecret(paths.secret, random);
  const keys = callerKeys(secret);
  const search = searchBeside(
    join(paths.dist, 'search.cjs'),
    { database: paths.database, index: paths.searchIndex, handoffs: paths.handoffs },
    clock,
  );
  const terminal = createTmuxTerminal({
    socketPath: paths.tmuxSocket,
    privateDir: paths.terminal,
    launcherPath: join(paths.hooks, 'launch.sh'),
    log,
    now: clock.now,
  });
  const providers = await createProviders(config, paths);
  const provider = (name: string) => providers.get(name);
  const waiting = createWaitingHooks(clock);
  const hearOut = async (id: string) => {
    await intake.drain(id);
    await readOn(id);
  };
  const readOn = async (id: string) => {
    await conversations.find(id);
    await transcripts.catchUp(id);
    await drivers.catchUp(id);
  };
  const placeCall = callPlacing({ home: homedir(), ours: [paths.home, paths.config] });
  const panes = createPaneDriver({ terminal, provider, hearOut, answer: waiting.hand });
  const drivers = createDrivers(providers.values(), panes, {
    clock,
    log,
    uuid: random.uuid,
    version,
    follow: (path, offset, onLine) => followFile({ path, offset, clock, onLine }),
    session: (id) => engine.get(id)?.session,
    tell: (id, fact) => engine.submit(id, fact),
    terminal,
    hearOut,
    answerHook: waiting.hand,
    placeCall,
    isDead: async ({ id }) => {
      const pane = (await terminal.panes())?.find(({ name }) => name === paneName(id));
      return pane?.dead ?? true;
    },
  });
  const documents = createDocuments(paths.handoffs);
  const ownVariables = ownVariableFiles(paths.sessions);
  const worktrees = createWorktrees({ dir: config.worktrees.dir, state: paths.home });
  const boxes = createBoxes(paths.doors, log);
  const sandboxes = createSandboxes({ ...paths, door: boxes.folder, openDoor: doorWithoutToken(config) });
  const boot = await bootId();
  const runner = createRunner({
    terminal,
    boot,
    documents,
    provider,
    driver: drivers.of,
    versions: createVersions(clock),
    ownVariables,
    worktrees,
    sandboxes,
    making: (id, env) => making.of(id, env),
    awaitConversation: (id, folder) => conversations.await(id, folder),
    agentEnv: (session, env) => agentEnvironment(paths, session.id, keys.of(session.id), env),
  });
  const engine = createEngine({
    store,
    clock,
    runner,
    log,
    crash,
    settings: domainSettings(config, paths, policies, mannersAmong(providers.values())),
    ...(fleetSettings && {
      abroad: (of, post) =>
        oweAbroad(store.fleet, `${of}@${fleetSettings.node}`, post).then(() => fleet?.wake()),
    }),
  });
  let fleet: FleetService | null = null;
  const making = tellMaking(engine);
  const spool = openSpool(paths.spool, clock.now);
  const conversations = findConversations({ engine, provider, clock, log });
  const transcripts = followTranscripts({ engine, provider, clock, log });
  const intake = createIntake({
    engine,
    spool,
    conversations,
    provider,
    readTranscript: transcripts.catchUp,
    placeCall,
    clock,
    log,
  });
  const checkouts = followCheckouts({ engine, log });
  const spools = watchSpools({ spool, intake, clock, log });

  await engine.load();
  // Facts that were spooled while no daemon ran come first.
  await spools.open([...engine.all()].map(({ session }) => session));
  engine.onCommit((session, events) => {
    transcripts.attend(session);
    spools.attend(session);
    drivers.attend(session);
    boxes.attend(session);
    checkouts.attend(session, events);
    warn(log, session, events);
    if (events.length > 0) search.grow();
    // Its pane may have died before anybody knew that it was there.
    if (events.some(({ body }) => isNamed(body, 'session launched'))) void reconcile();
  });
  const reconcile = oneAtATime(
    () => reconcilePanes({ engine, terminal, clock, log, hearOut, boot, isGoingDown }),
    log,
  );
  await reconcile();
  const unwatch = terminal.onChange(() => void reconcile());
  await orient(engine, [transcripts, spools, drivers], readOn);
  engine.resume();
  for (const { session } of [...engine.all()]) void engine.submit(session.id, { type: 'adopted' });
  const history = forgetHistory({
    store,
    engine,
    clock,
    log,
    keepDays: config.history.keep_days,
    forgetFiles: forgetFiles({
      paths,
      session: async (id) => (engine.get(id) ?? (await store.state(id)))?.session ?? null,
      isMessage: async (id) => (await store.message(id)) !== null,
      panes: async () => (await terminal.panes())?.map(({ name }) => name) ?? [],
    }),
    forgetWords: search.prune,
  });

  writeShim(paths);

  writeMcpFile(paths);
  const { auth, open_hooks: openHooks, url, tls } = config.server;
  const devices = createDevices({
    clock,
    random,
    file: deviceFile(paths.devices),
    cookieName: `sm_${createHash('sha256').update(`cookie ${secret}`).digest('hex').slice(0, 8)}`,
  });
  const site = siteOf({ url, tls: tls !== null });
  const guard = { auth, openHooks, token: readSecret(paths.token, random), keys, devices, site };
  if (auth === 'none')
    log.warn({}, 'server.auth is none: every program on this machine may command the agents');
  else if (openHooks)
    log.warn(
      {},
      'server.open_hooks is true: every program on this machine may report facts about the agents',
    );
  const view = sessionViews(provider);
  const viewTexts = createViewTexts(engine, view);
  const screens = createScreens(terminal, clock);
  const { telling, triggers, notifications } = await tellOutside({
    triggers: config.on,
    notify: config.notify,
    secrets: takeSecrets(config.notify, process.env),
    site: url,
    acts: actsOf(() => service),
    devices,
    pushKeys: () => pushKeys(paths.pushKeys),
    terminals: () => viewers({ program: 'tmux', socketPath: paths.tmuxSocket }),
    engine,
    store,
    clock,
    log,
    view,
    env: programEnvironment(paths, process.env),
    crash,
  });
  const { broken } = notifications;
  const stream = createStream({ engine, store, clock, log, texts: viewTexts, broken });
  const statusLine = keepStatusLine({ engine, terminal, clock, log });
  const service: Service = {
    version,
    pid: process.pid,
    startedAt: clock.now(),
    stateDir: paths.home,
    engine,
    store,
    search,
    stream,
    viewTexts,
    fleet: () => fleet,
    allows: (node, power) => allowedTo(fleetSettings, node).includes(power),
    screens,
    page: openPage(join(paths.dist, 'web')),
    codes: createCodes(clock, random),
    port: () => doors.port,
    terminal,
    random,
    clock,
    prices: pricesIn(config.prices),
    budgets: config.budget,
    provider,
    providerNames: [...providers.keys()],
    standardProvider: standard.name,
    worktrees,
    sandboxes,
    documents,
    ownVariables,
    readTeam: (content, file) => readTeamFile(content, file, Object.keys(config.agents)),
    profiles: () => withOurTools(readConfig(paths).profiles, mcpFile(paths)),
    monitored: config.context_monitor.enabled,
    marks: {
      warning: config.context_monitor.warning_percentage,
      critical: config.context_monitor.critical_percentage,
    },
    remind: remindSettings(config),
    policies,
    triggers,
    notifications,
    placeCall,
    defaultEnv: cleanEnvironment(process.env),
    cleanEnv: cleanEnvironment,
    processes,
    processEnds: (pid, startedAt) => processEnds(pid, startedAt, 2_000),
  };
  const app = createApp(service, guard, log);
  const hooks = createHookListener({
    engine,
    intake,
    waiting,
    provider,
    policies,
    placeCall,
    guard,
    log,
    now: clock.now,
    factId: random.uuid,
  });
  const closeAll = async () => {
    unwatch();
    await history.stop();
    making.stop();
    await telling.stop();
    await fleet?.stop();
    await engine.stop();
    await transcripts.close();
    await drivers.close();
    spools.close();
    conversations.close();
    await terminal.close();
    await search.close();
    await store.close();
  };
  const doors: Doors = await openDoors(app, hooks, {
    socket: paths.socket,
    ...config.server,
    behindProxy: config.server.behind_proxy,
    config: paths.config,
    version,
    clock,
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  await boxes.open(
    doors.openFor,
    [...engine.all()].map(({ session }) => session),
  );
  search.grow();
  // The agents need it less than everything else.
  await telling
    .start()
    .catch((error: unknown) => log.error({ error: String(error) }, 'nobody outside is told of anything'));
  if (fleetSettings) fleet = await joinFleet(fleetSettings, { app, service, log, crash });
  log.info({ pid: process.pid, port: doors.port, sessions: [...engine.all()].length, version }, 'sm is up');

  return {
    port: doors.port,
    async stop() {
      stream.close();
      screens.close();
      statusLine.stop();
      await boxes.close();
      await doors.close();
      await closeAll();
      log.info({ pid: process.pid }, 'sm is down; the agents keep running');
    },
  };
}

function domainSettings(
  { context_monitor: monitor, stuck, questions, prices, limits }: Config,
  paths: Paths,
  policies: Policies,
  manners: Settings['manners'],
): Settings {
  return {
    context: {
      enabled: monitor.enabled,
      warning: monitor.warning_percentage,
      critical: monitor.critical_percentage,
      autoHandoff: monitor.auto_handoff,
    },
    manners,
    handoffs: paths.handoffs,
    blockedBound: stuck.blocked_seconds * 1_000,
    parentsMayAnswer: questions.parents_may_answer,
    rules: policies.rules,
    prices: pricesIn(prices),
    resumeAfterLimit: limits.resume,
  };
}

const pricesIn =
  (prices: Config['prices']): Prices =>
  (model) => {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (!price) return null;
    const { input, output, cache_read: cacheRead = input, cache_write: cacheWrite = input } = price;
    return { input, output, cacheRead, cacheWrite };
  };

function remindSettings({ remind, dispatch: { auto_remind: auto } }: Config): RemindSettings {
  return {
    soft: remind.soft_threshold_seconds,
    hardGap: remind.hard_gap_seconds,
    dispatch: auto && { soft: auto.soft_threshold_seconds, hard: auto.hard_threshold_seconds },
  };
}

/** Whatever happened while we were away is known before any effect goes on. */
async function orient(
  engine: Engine,
  followers: readonly { attend(session: Session): void }[],
  readOn: (id: string) => Promise<void>,
): Promise<void> {
  const sessions = [...engine.all()].map(({ session }) => session);
  for (const session of sessions) for (const follower of followers) follower.attend(session);
  await Promise.all(sessions.map((session) => readOn(session.id)));
}

/** A call that comes while the work runs makes it run once more afterwards. */
function oneAtATime(work: () => Promise<void>, log: Log): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;
  return function run(): Promise<void> {
    if (running) {
      again = true;
      return running;
    }
    running = work()
      .catch((error: unknown) =>
        log.error({ error: String(error) }, 'cannot compare the panes with the sessions'),
      )
      .then(() => {
        running = null;
        if (!again) return;
        again = false;
        return run();
      });
    return running;
  };
}

/** The `sm` that agents find on their PATH is the one that belongs to this daemon. */
function writeShim(paths: Paths): void {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  writeFileSync(
    join(paths.bin, 'sm'),
    `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(join(paths.dist, 'sm.cjs'))} "$@"\n`,
    { mode: 0o755 },
  );
}

/** The file by which an agent that takes such files gets the commands as tools. */
const mcpFile = (paths: Paths): string => join(paths.home, 'mcp.json');

function writeMcpFile(paths: Paths): void {
  const server = { type: 'stdio', command: join(paths.bin, 'sm'), args: ['mcp'] };
  writeFileSync(mcpFile(paths), `${JSON.stringify({ mcpServers: { sm: server } }, null, 2)}\n`, {
    mode: 0o600,
  });
}

/** Made once, and made again if what is there cannot be one: a file that was cut off would be easy to guess. */
function readSecret(file: string, random: Random): string {
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (known.length >= 32) return known;
  const secret = random.hex(48);
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
