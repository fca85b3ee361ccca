// The list, the command line and HTTP tell the same phase, whatever happens: what differs is told late, and never for long.
import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { signOf } from '../../src/faces/signs.ts';
import type { SessionView } from '../../src/protocol/session.ts';
import { testIo } from '../support/io.ts';
import { useRoom } from '../support/seat.ts';
import { sendText, startIdle } from '../support/talk.ts';

/** The long run: SCREEN_SAMPLES=10000. */
const wanted = Number(process.env.SCREEN_SAMPLES ?? 200);
const patienceMs = 250;
const lives = ['[[sleep 0.2]]', '[[ask true]]', '[[bash true]]', 'hello', '[[sleep 1]]'];

const here = useRoom();

it(
  'shows the same phase on the screen, in sm all --json and over HTTP',
  async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => startIdle(here.daemon, `life-${n}`)));
    const seat = await here.room.sit('phases', '120x30');
    await seat.sees('life-3');

    const overHttp = async () =>
      glyphs((await here.daemon.call<{ sessions: SessionView[] }>('GET', '/sessions')).body.sessions);
    const onScreen = async () =>
      new Map(
        (await seat.lines()).flatMap((line) => {
          const [, glyph, name] = /^ (\S) (life-\d)/.exec(line) ?? [];
          return name === undefined ? [] : [[name, glyph as string] as const];
        }),
      );
    /** The command itself, without a process for each time that it is asked. */
    const sm = async (...argv: string[]) => {
      const io = testIo({ env: { SM_HOME: here.daemon.home } });
      await run(argv, io);
      return io.printed.out;
    };
    const inTable = async () => glyphs(JSON.parse(await sm('all', '--json')).sessions);

    let seen = 0;
    let changes = 0;
    let last = '';
    const outlived: string[] = [];
    /** Nobody can look at two places at once: what differs counts only if HTTP said the same all the while. */
    async function compare(look: typeof onScreen): Promise<number> {
      const began = performance.now();
      for (let before = await overHttp(); ; ) {
        const asked = performance.now();
        const [shown, after] = [await look(), await overHttp()];
        if (text(before) !== last) changes += 1;
        last = text(before);
        if (text(before) !== text(after)) return 0;
        if (text(shown) === text(after)) return 1;
        if (asked - began > patienceMs) {
          outlived.push(`${text(shown)} is not ${text(after)}`);
          return 1;
        }
        before = after;
      }
    }
    while (seen < wanted) {
      const id = ids[Math.floor(Math.random() * ids.length)] as string;
      const { phase, question } = await here.daemon.session(id);
      if (question) await sm('answer', id, 'allow');
      else if (phase === 'idle')
        await sendText(here.daemon, id, lives[Math.floor(Math.random() * lives.length)] as string);
      for (let n = 0; n < 9; n += 1) seen += await compare(onScreen);
      seen += await compare(inTable);
    }
    expect(outlived).toEqual([]);
    expect(changes).toBeGreaterThan(wanted / 40);
    await seat.press('q');
    await seat.sees('left with 0');
  },
  Math.max(120_000, wanted * 500),
);

const glyphs = (sessions: readonly SessionView[]) =>
  new Map(sessions.map((session) => [session.display_name, signOf(session).glyph]));

const text = (signs: ReadonlyMap<string, string>) =>
  [...signs]
    .sort()
    .map(([name, glyph]) => `${glyph} ${name}`)
    .join(', ');
