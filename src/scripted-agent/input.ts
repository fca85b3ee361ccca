// What each key means, and when: the rules by which a real composer loses, merges or keeps what is typed.

import type { Agent } from './agent.ts';
import { isCommand, isExit } from './commands.ts';
import * as composer from './composer.ts';
import type { Input, Key } from './keys.ts';
import type { Loop } from './loop.ts';
import type { Work } from './queue.ts';

/** A second press within this time means something else than the first. */
const DOUBLE_PRESS_MS = 800;
/** Typed text this close together is one burst; an Enter inside a burst is a line break. */
const BURST_MS = 20;
const BURST_CHARACTERS = 2;

export function createInput(agent: Agent, loop: Loop): (input: Input) => void {
  const { view } = agent;
  const usualFooter = view.footer;
  const burst = { characters: 0, at: 0 };
  const press = createDoublePress();

  function edit(next: composer.Composer): void {
    view.composer = next;
    agent.refresh();
  }

  function type(text: string): void {
    const now = performance.now();
    if (now - burst.at > BURST_MS) burst.characters = 0;
    burst.characters += text.length;
    burst.at = now;
    edit(composer.insert(view.composer, text));
  }

  function paste(text: string): void {
    // The brackets say where a paste ends: an Enter after it is a key of its own.
    burst.characters = 0;
    edit(composer.paste(view.composer, text));
  }

  function enter(): void {
    if (agent.faults.loseEnter()) return;
    const inBurst = burst.characters > BURST_CHARACTERS && performance.now() - burst.at <= BURST_MS;
    const escaped = view.composer.text.slice(0, view.composer.cursor).endsWith('\\');
    if (inBurst) type('\n');
    else if (escaped) edit(composer.insert(composer.backspace(view.composer), '\n'));
    else send();
  }

  function send(): void {
    const sent = composer.submit(view.composer);
    if (sent.text.trim() === '') return;
    edit(sent.composer);
    if (isExit(sent.text)) void agent.exit(0, 'prompt_input_exit');
    else loop.submit({ kind: kindOf(sent.text), text: sent.text });
  }

  function cancel(): void {
    if (loop.interrupt()) return;
    const isDraft = !composer.isEmpty(view.composer);
    if (!press('escape', () => showHint(null))) {
      if (isDraft) showHint('Esc again to clear');
      return;
    }
    if (isDraft) edit(composer.clear(view.composer));
    else showRewind(true);
  }

  function quit(key: 'ctrl-c' | 'ctrl-d'): void {
    if (press(key, () => showFooter(usualFooter))) void agent.exit(0, 'prompt_input_exit');
    else showFooter(`Press ${key === 'ctrl-c' ? 'Ctrl-C' : 'Ctrl-D'} again to exit`);
  }

  function takeBack(): void {
    const queued = loop.popQueued();
    if (queued.length > 0) edit(composer.insert(view.composer, queued.join('\n')));
  }

  const ignore = () => {};
  const keys: Record<Key, () => void> = {
    enter,
    escape: cancel,
    newline: () => edit(composer.insert(view.composer, '\n')),
    'alt-enter': () => edit(composer.insert(view.composer, '\n')),
    backspace: () => edit(composer.backspace(view.composer)),
    'ctrl-u': () => edit(composer.killLine(view.composer)),
    'ctrl-s': () => edit(composer.toggleStash(view.composer)),
    left: () => edit(composer.move(view.composer, 'left')),
    right: () => edit(composer.move(view.composer, 'right')),
    home: () => edit(composer.move(view.composer, 'home')),
    end: () => edit(composer.move(view.composer, 'end')),
    'ctrl-c': () => {
      if (loop.interrupt()) return;
      if (composer.isEmpty(view.composer)) quit('ctrl-c');
      else edit(composer.clear(view.composer));
    },
    'ctrl-d': () => {
      if (composer.isEmpty(view.composer)) quit('ctrl-d');
    },
    up: takeBack,
    down: ignore,
    other: ignore,
  };

  function showHint(hint: string | null): void {
    view.hint = hint;
    agent.refresh();
  }

  function showFooter(footer: string): void {
    view.footer = footer;
    agent.refresh();
  }

  function showRewind(rewind: boolean): void {
    view.rewind = rewind;
    agent.refresh();
  }

  return (input) => {
    if (view.rewind) {
      if (input.kind === 'key' && input.key === 'escape') showRewind(false);
      return;
    }
    if (input.kind === 'text') type(input.text);
    else if (input.kind === 'paste') paste(input.text);
    else keys[input.key]();
  };
}

function kindOf(text: string): Work['kind'] {
  if (text.startsWith('!')) return 'shell';
  return isCommand(text) ? 'command' : 'prompt';
}

/** Tells whether this press is the second one; calls `expire` when no second one comes, or once it came. */
function createDoublePress(): (key: string, expire: () => void) => boolean {
  let first: { key: string; timer: NodeJS.Timeout; expire: () => void } | null = null;
  return (key, expire) => {
    const isSecond = first?.key === key;
    if (first) {
      clearTimeout(first.timer);
      first.expire();
      first = null;
    }
    if (isSecond) return true;
    const timer = setTimeout(() => {
      first = null;
      expire();
    }, DOUBLE_PRESS_MS);
    first = { key, timer, expire };
    return false;
  };
}
