// The screen as a program: what happens goes through `update`, what it wishes is done, what it shows is painted.
import type { ReadStream, WriteStream } from 'node:tty';
import type { Client } from '../client/client.ts';
import { readChoices, writeChoices } from './choices.ts';
import { type Feed, openFeed } from './feed.ts';
import type { Grid } from './grid.ts';
import { begin, type Happening, type State, type Wish } from './state.ts';
import { depthOf } from './style.ts';
import { openTty, type Tty } from './tty.ts';
import { update } from './update.ts';
import { view } from './view.ts';

export interface ScreenProgram {
  readonly client: Client;
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly string[];
  /** Where pins and folds are kept. */
  readonly choicesFile: string;
  now(): number;
  /** Runs a command of `sm` and answers what it printed. */
  sm(argv: readonly string[], columns: number): Promise<{ readonly code: number; readonly out: string }>;
  /** The same with the terminal. */
  smInTerminal(argv: readonly string[]): Promise<{ readonly code: number; readonly out: string }>;
}

/** Until the person leaves; answers the exit code. */
export function runScreen(given: ScreenProgram): Promise<number> {
  let resolve: (code: number) => void;
  let reject: (error: unknown) => void;
  const promise = new Promise<number>((...settle) => {
    [resolve, reject] = settle;
  });
  const { now } = given;
  let painted: Grid | null = null;
  let isDue = false;
  let isBusy = false;
  let feed: Feed;
  let wakeUp: NodeJS.Timeout | undefined;

  const tty: Tty = openTty(given.input, given.output, {
    key: happened,
    resized: () => happened({ kind: 'resize', ...tty.size }),
    ready(blank) {
      if (blank) painted = null;
      isBusy = false;
      paintSoon();
    },
    gone: end,
  });
  let state: State = begin({
    size: tty.size,
    depth: depthOf(given.env),
    providers: given.providers,
    choices: readChoices(given.choicesFile),
  });

  function happened(happening: Happening): void {
    const next = update(state, happening, now());
    const changed = next.state !== state;
    state = next.state;
    for (const wish of next.wishes) grant(wish);
    if (changed) paintSoon();
  }

  /** All that happened in one go is painted at once. */
  function paintSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      paint();
    });
  }

  /** A terminal that is slow gets the newest picture when it is ready, and none of those in between. */
  function paint(): void {
    if (isBusy) return;
    const next = view(state, now());
    const text = next.difference(painted);
    painted = next;
    if (text !== '') isBusy = !tty.write(text);
  }

  function grant(wish: Wish): void {
    switch (wish.do) {
      case 'run':
        void given.sm(wish.argv, state.size.columns - 2).then(
          ({ code, out }) => happened({ kind: 'ran', run: wish.run, code, out }),
          (error: unknown) => happened({ kind: 'ran', run: wish.run, code: 1, out: String(error) }),
        );
        break;
      case 'hand-over':
        void tty
          .handOver(() => given.smInTerminal(wish.argv))
          .then(({ code, out }) => happened({ kind: 'back', note: out.trim(), bad: code !== 0 }));
        break;
      case 'follow':
        feed.follow(wish.id);
        break;
      case 'ask-profiles':
        // Without an answer none can be chosen, and the rest of the form is as good as before.
        void given.client
          .ask('GET /profiles')
          .then(({ profiles }) => happened({ kind: 'profiles', names: profiles.map(({ name }) => name) }))
          .catch(() => {});
        break;
      case 'copy':
        tty.write(`\x1b]52;c;${Buffer.from(wish.text).toString('base64')}\x07`);
        break;
      case 'mouse':
        tty.mouse(wish.on);
        break;
      case 'keep':
        keep(wish.choices);
        break;
      case 'suspend':
        tty.suspend();
        break;
      case 'quit':
        end(0);
        break;
      default:
        wish satisfies never;
    }
  }

  function keep(choices: State['choices']): void {
    try {
      writeChoices(given.choicesFile, choices);
    } catch (error) {
      happened({ kind: 'back', note: `Pins are not kept: ${(error as Error).message}`, bad: true });
    }
    alarm();
  }

  /** Whoever is snoozed comes back at its time: once, not by looking again and again. */
  function alarm(): void {
    clearTimeout(wakeUp);
    const times = [...state.choices.snoozed.values()].map(({ until }) => until);
    if (times.length === 0) return;
    wakeUp = setTimeout(
      () => {
        happened({ kind: 'woke' });
        alarm();
      },
      Math.max(0, Math.min(...times) - now()) + 1,
    );
  }

  function end(code: number): void {
    clearTimeout(wakeUp);
    feed?.stop();
    tty.close();
    resolve(code);
  }

  feed = openFeed(given.client, happened, (error) => {
    end(1);
    reject(error);
  });
  alarm();
  paint();
  return promise;
}
