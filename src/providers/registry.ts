// The kinds of agents that sm knows, one line each: the card of a folder here. They are told in the order of these
// names. The code is found by the card's name, in the same folder (load.ts), so that the CLI loads none of it.
export { card as claude } from './claude/card.ts';
export { card as claudeApp } from './claude-app/card.ts';
export { card as codex } from './codex/card.ts';
export { card as codexApp } from './codex-app/card.ts';
export { card as copilot } from './copilot/card.ts';
export { card as gemini } from './gemini/card.ts';
export { card as opencode } from './opencode/card.ts';
export { card as opencodeApp } from './opencode-app/card.ts';
export { card as qwen } from './qwen/card.ts';
export { card as scripted } from './scripted/card.ts';
