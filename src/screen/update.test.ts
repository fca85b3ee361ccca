import { describe, expect, it } from 'vitest';
import { session } from '../../test/support/stand-in-daemon.ts';
import { type Act, acts } from '../faces/acts.ts';
import type { SessionView } from '../protocol/session.ts';
import { arranged, begin, type Happening, type State, type Wish } from './state.ts';
import { update } from './update.ts';
import { view } from './view.ts';

const now = Date.parse('2025-01-02T12:00:00.000Z');
const question = {
  id: 'q1',
  kind: 'permission',
  text: 'Bash: rm -rf build',
  since: '2025-01-02T11:59:00.000Z',
} as const;
const one = session({ id: 'one', name: 'login', created_at: '2025-01-02T11:01:00.000Z' });
const two = session({ id: 'two', name: 'docs', created_at: '2025-01-02T11:02:00.000Z' });

class Screen {
  state: State;
  wishes: Wish[] = [];

  constructor(sessions: readonly SessionView[], size = { rows: 24, columns: 100 }) {
    this.state = begin({ size, depth: '256', providers: ['claude', 'codex'] });
    this.happens({ kind: 'sessions', sessions }, { kind: 'link', up: true });
    this.wishes = [];
  }

  happens(...happenings: Happening[]): this {
    for (const happening of happenings) {
      const next = update(this.state, happening, now);
      this.state = next.state;
      this.wishes.push(...next.wishes);
    }
    return this;
  }

  press(...keys: string[]): this {
    return this.happens(...keys.map((key) => ({ kind: 'key', key }) as const));
  }

  type = (text: string) => this.press(...text);

  get lines(): string[] {
    const grid = view(this.state, now);
    return Array.from({ length: grid.rows }, (_, row) => grid.line(row).trimEnd());
  }

  get text(): string {
    return this.lines.join('\n');
  }

  get commands(): (readonly string[])[] {
    return this.wishes.flatMap((wish) => (wish.do === 'run' || wish.do === 'hand-over' ? [wish.argv] : []));
  }
}

describe('the list', () => {
  it('selects somebody, and follows whom it selects', () => {
    const screen = new Screen([one, two]);
    expect(screen.state.selected).toBe('one');
    screen.press('down');
    expect(screen.state.selected).toBe('two');
    expect(screen.wishes).toEqual([{ do: 'follow', id: 'two' }]);
    screen.press('down', 'down');
    expect(screen.state.selected).toBe('two');
  });

  it('does not move under a cursor that somebody has placed, whatever comes or goes above it', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      session({
        id: `s${index}`,
        name: `s${index}`,
        created_at: `2025-01-02T11:00:${String(index).padStart(2, '0')}.000Z`,
      }),
    );
    const screen = new Screen(many);
    screen.press(...new Array<string>(20).fill('down'));
    const lineOf = (name: string) => screen.lines.findIndex((line) => new RegExp(`\\b${name}\\b`).test(line));
    const before = lineOf('s20');
    screen.happens({
      kind: 'session',
      session: { ...(many[25] as SessionView), phase: 'blocked', question },
    });
    expect(lineOf('s20')).toBe(before);
    screen.happens({ kind: 'left', id: 's3' }, { kind: 'left', id: 's4' });
    expect(lineOf('s20')).toBe(before);
    expect(screen.state.selected).toBe('s20');
    expect(screen.lines[0]).toContain('1◐');
  });

  it('shows its beginning until somebody places the cursor, and again after escape', () => {
    const screen = new Screen([one, two]);
    screen.happens({ kind: 'session', session: { ...two, phase: 'blocked', question } });
    expect(screen.lines[1]).toContain('WAITING FOR YOU');
    expect(screen.lines[2]).toContain('docs');
    expect(screen.state.selected).toBe('one');
  });

  it('goes to who waits, and says so when nobody does', () => {
    const screen = new Screen([one, { ...two, phase: 'blocked', question }]).press('tab');
    expect(screen.state.selected).toBe('two');
    expect(new Screen([one]).press('tab').text).toContain('Nobody waits for you.');
  });

  it('finds by every letter, and escape takes it back', () => {
    const screen = new Screen([one, two]).press('/').type('doc');
    expect(screen.text).not.toContain('login');
    screen.press('enter');
    expect(screen.lines[0]).toContain('/doc');
    screen.press('escape');
    expect(screen.text).toContain('login');
  });

  it('shows only problems', () => {
    const screen = new Screen([one, { ...two, phase: 'lost' }]).press('p');
    expect(arranged(screen.state).list.lines).toHaveLength(2);
    expect(screen.text).toContain('only problems');
  });

  it('pins and snoozes, and what is snoozed comes back at its time', () => {
    const waiting = { ...two, phase: 'blocked', question } as const;
    const screen = new Screen([one, waiting]).press('tab', 'z');
    expect(screen.text).toContain('SNOOZED');
    expect(screen.wishes.some((wish) => wish.do === 'keep')).toBe(true);
    const later = update(screen.state, { kind: 'woke' }, now + 61 * 60_000);
    expect(later.state.choices.snoozed.size).toBe(0);
  });
});

describe('acts', () => {
  it.each([
    ['enter', ['attach', 'one']],
    ['i', undefined],
  ])('%s', (key, argv) => {
    const screen = new Screen([one]).press(key);
    expect(screen.commands).toEqual(argv ? [argv] : []);
  });

  it.each(acts.map(({ key, command }) => [key, command]))(
    '%s begins sm %s, or asks for what it needs',
    (key, command) => {
      const { can } = acts.find((act) => act.command === command) as Act;
      const asking = session({ ...one, phase: 'blocked', question });
      const able = [one, asking, session({ ...one, phase: 'exited' })].find(can);
      const screen = new Screen([able as SessionView]).press(key);
      const { dialog } = screen.state;
      const begun = [screen.commands.flat()[0], dialog?.kind === 'confirm' ? dialog.argv[0] : dialog?.kind];
      expect(begun).toContain({ name: 'rename', trace: 'messages' }[command] ?? command);
    },
  );

  it('interrupts only who works, and says why not', () => {
    expect(new Screen([one]).press('i').text).toContain('login is idle: interrupt its turn is not possible.');
    expect(new Screen([{ ...one, phase: 'working' }]).press('i').commands).toEqual([['interrupt', 'one']]);
  });

  it('sends what was written, in the mode that was chosen, once', () => {
    const screen = new Screen([one]).press('s').type('hi -x').press('tab', 'enter', 'enter');
    expect(screen.commands).toEqual([
      ['send', 'one', '--important', '--', 'hi -x'],
      ['attach', 'one'],
    ]);
  });

  it('keeps what was half written, for that session alone', () => {
    const screen = new Screen([one, two]).press('s').type('half').press('escape', 'down', 's');
    expect(screen.text).not.toContain('half');
    screen.press('escape', 'up', 's');
    expect(screen.text).toContain('to login (one), sequential: half');
  });

  it('never runs what is pasted', () => {
    const screen = new Screen([one]).happens({ kind: 'paste', text: 'd\ny\n' });
    expect(screen.commands).toEqual([]);
    screen.press('s').happens({ kind: 'paste', text: 'line 1\nline 2' });
    expect(screen.commands).toEqual([]);
    screen.press('enter');
    expect(screen.commands).toEqual([['send', 'one', '--', 'line 1\nline 2']]);
  });

  it('asks before it ends or clears', () => {
    const screen = new Screen([one]).press('d');
    expect(screen.text).toContain('End login (one)? It can be restored.');
    expect(screen.press('n').commands).toEqual([]);
    expect(screen.press('d', 'y').commands).toEqual([['kill', 'one']]);
    expect(new Screen([one]).press('c', 'y').commands).toEqual([['clear', 'one']]);
  });

  it('runs any command, with . for the selected session', () => {
    expect(new Screen([one]).press(':').type('remind . 60 "look up"').press('enter').commands).toEqual([
      ['remind', 'one', '60', 'look up'],
    ]);
    expect(new Screen([one]).press(':').type('sm attach .').press('enter').wishes).toEqual([
      { do: 'hand-over', argv: ['attach', 'one'] },
    ]);
  });

  it('starts a session from a form, and asks for what is missing', () => {
    const screen = new Screen([one]).press('n').type('new').press('enter');
    expect(screen.commands).toEqual([]);
    screen.type('fix it').press('enter');
    expect(screen.commands).toEqual([
      ['spawn', 'claude', '--name', 'new', '--working-dir', '/repo/project', '--', 'fix it'],
    ]);
  });

  it('starts it with a profile, a worktree and tags; the profiles are asked for when the form opens', () => {
    const screen = new Screen([one]).press('n');
    expect(screen.wishes).toContainEqual({ do: 'ask-profiles' });
    screen.happens({ kind: 'profiles', names: ['night', 'review'] });
    screen.press('tab', 'tab', 'right', 'right', 'tab', ' ', 'tab').type('api, urgent');
    expect(screen.text).toContain('‹ review ›');
    screen.press('tab').type('fix it').press('enter');
    expect(screen.commands).toEqual([
      [
        ...['spawn', 'claude', '--working-dir', '/repo/project', '--profile', 'review', '--worktree'],
        ...['--tag', 'api', '--tag', 'urgent', '--', 'fix it'],
      ],
    ]);
    expect(new Screen([one]).happens({ kind: 'profiles', names: ['night'] }).state.dialog).toBeNull();
  });

  it('lists only the keys that do something here', () => {
    const keys = (sessions: SessionView[]) => new Screen(sessions).press('?').text;
    expect(keys([one])).toContain('send it a message');
    expect(keys([one])).not.toMatch(/interrupt its turn|its family|restore it|answer its question/);
    expect(keys([one, session({ ...two, parent_session_id: 'one' })])).toContain('fold or unfold its family');
    expect(keys([session({ ...one, phase: 'exited' })])).toContain('restore it');
    expect(keys([session({ ...one, phase: 'exited' })])).not.toContain('send it a message');
  });

  it('keeps a log of what it ran and how that ended', () => {
    const screen = new Screen([one]).press('d', 'y');
    screen.happens({ kind: 'ran', run: 1, code: 0, out: 'Killed login (one).\n' });
    expect(screen.text).toContain('Killed login (one).');
    screen.press('l');
    expect(screen.text).toContain('✓ sm kill one');
  });
});

describe('a question', () => {
  const asking = { ...one, phase: 'blocked', question } as const;

  it('is shown whole, and the very one that was shown is answered', () => {
    const screen = new Screen([asking]).press('a');
    expect(screen.text).toContain('Bash: rm -rf build');
    expect(screen.press('y').commands).toEqual([['answer', 'one', 'allow', '--question', 'q1']]);
  });

  it('is denied with a reason', () => {
    const screen = new Screen([asking]).press('a', 'r').type('use git').press('enter');
    expect(screen.commands).toEqual([['answer', 'one', 'deny', '--question', 'q1', '--', 'use git']]);
  });

  it('that was answered elsewhere, or is another by now, is said to be so', () => {
    const screen = new Screen([asking]).press('a');
    screen.happens({
      kind: 'session',
      session: { ...asking, question: { ...question, id: 'q2', text: 'Bash: ls' } },
    });
    expect(screen.text).toContain('It asks something else by now');
    expect(screen.text).not.toContain('y allow');
    screen.happens({ kind: 'session', session: one });
    expect(screen.text).toContain('Its question is answered.');
  });

  it('of the agent’s own is answered in its terminal', () => {
    const dialog = { ...asking, question: { ...question, kind: 'dialog' } } as const;
    expect(new Screen([dialog]).press('a', 'y').commands).toEqual([]);
    expect(new Screen([dialog]).press('a', 'enter').commands).toEqual([['attach', 'one']]);
  });
});

describe('what is shown', () => {
  it('says that it may be out of date when the daemon is away, and keeps the list', () => {
    const screen = new Screen([one]).happens({ kind: 'link', up: false });
    expect(screen.lines[0]).toContain('the daemon does not answer: as it was at');
    expect(screen.text).toContain('login');
  });

  it('is the live screen of the selected one, and of no other', () => {
    const pane = { columns: 80, rows: 2, cursor: { x: 0, y: 1 }, lines: ['\x1b[31mred\x1b[0m line', '❯ '] };
    const screen = new Screen([one, two]).happens({ kind: 'pane', id: 'two', pane });
    expect(screen.text).not.toContain('red line');
    screen.happens({ kind: 'pane', id: 'one', pane });
    expect(screen.text).toContain('red line');
  });

  it.each([
    [24, 80],
    [60, 250],
    [45, 160],
    [20, 45],
    [8, 30],
    [3, 10],
    [1, 1],
  ])('fits %i × %i', (rows, columns) => {
    const screen = new Screen(
      [{ ...one, phase: 'blocked', question, current_task: '日本語'.repeat(50) }, two],
      { rows, columns },
    );
    for (const key of [
      '',
      's',
      'escape',
      'a',
      'escape',
      '?',
      'q',
      'n',
      'escape',
      'l',
      'q',
      't',
      'q',
      ':',
      'escape',
      'enter',
    ])
      if (key === '') expect(screen.lines).toHaveLength(rows);
      else expect(screen.press(key).lines.every((line) => line.length <= columns)).toBe(true);
  });

  it.each(['none', '16', '256', 'true'] as const)('has colours only where they are wanted: %s', (depth) => {
    const screen = new Screen([session({ ...one, phase: 'blocked', question })]);
    const pane = {
      id: 'one',
      columns: 80,
      rows: 2,
      cursor: { x: 0, y: 0 },
      lines: ['\x1b[1;38;2;9;8;7mred\x1b[0m', ''],
    };
    screen.happens({ kind: 'pane', id: 'one', pane: pane as never });
    const written = (dialog: string) => {
      screen.press(dialog);
      return view({ ...screen.state, depth }, now).difference(null);
    };
    const coloured = ['escape', '?', 'escape', 'e', 'escape', 'a', 'escape', 'n'].filter((dialog) =>
      /\x1b\[[\d;]*\d\d[\d;]*m/.test(written(dialog)),
    );
    expect(coloured.includes('escape')).toBe(depth !== 'none');
    expect(coloured.length > 0).toBe(depth !== 'none');
  });

  it.each([60, 80, 120, 128, 160, 250])('says where a session works, in %i columns', (columns) => {
    const placed = session({
      ...one,
      working_dir: '/work/web',
      context: { ...one.context, used_percentage: 71 },
    });
    const row = new Screen([placed], { rows: 24, columns }).lines.find((line) => line.startsWith(' ○ login'));
    expect(row).toMatch(/web .*11:58 .*71%/);
    // Where there is room, with its agent and a bar.
    if (columns === 80 || columns >= 160) expect(row).toMatch(/claude +web .*▓▓▓▓░ {2}71%/);
  });

  it('is one line per session and a page of its own for one in a narrow terminal', () => {
    const screen = new Screen([one, two], { rows: 20, columns: 45 });
    expect(screen.text).not.toContain('messages');
    screen.press('enter');
    expect(screen.commands).toEqual([]);
    expect(screen.text).toContain('login (one)');
    expect(screen.press('enter').commands).toEqual([['attach', 'one']]);
    screen.press('escape');
    expect(screen.text).toContain('docs');
  });
});

describe('a session without a terminal', () => {
  const quiet = session({ id: 'one', name: 'quiet', tmux_session: null });
  const at = '2025-01-02T11:59:00.000Z';
  const message = {
    id: 'm1',
    session_id: 'one',
    from: { kind: 'person' },
    text: 'look at it',
    state: 'accepted',
  };
  const events = [
    { number: 1, session_id: 'one', at, type: 'message', state: 'accepted', message: 'm1' },
    { number: 2, session_id: 'one', at, type: 'said', turn: 't', text: 'it is fine' },
  ];

  it('shows its conversation, and is attached to as such', () => {
    const detail = { kind: 'detail', id: 'one', events, messages: [message] } as unknown as Happening;
    const screen = new Screen([quiet]).happens(detail);
    expect(screen.text).toMatch(/> look at it.*\n.*it is fine/);
    expect(screen.press('enter').commands).toEqual([['attach', 'one']]);
  });
});
