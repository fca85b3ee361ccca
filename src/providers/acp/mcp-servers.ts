// The MCP servers that a session is given, from files in the form that Claude Code has for them.
import { readFile } from 'node:fs/promises';
import { list, record, text } from '../values.ts';
import type { McpServer } from './protocol.ts';

export async function mcpServersIn(files: readonly string[]): Promise<McpServer[]> {
  const read = await Promise.all(
    files.map(async (file) => serversIn(JSON.parse(await readFile(file, 'utf8')))),
  );
  return read.flat();
}

const serversIn = (file: unknown): McpServer[] =>
  Object.entries(record(record(file).mcpServers)).flatMap(([name, told]) => serverOf(name, record(told)));

function serverOf(name: string, told: Record<string, unknown>): McpServer[] {
  const pairs = (value: unknown) =>
    Object.entries(record(value)).map(([key, each]) => ({ name: key, value: String(each) }));
  const [command, url] = [text(told.command), text(told.url)];
  if (command !== null) {
    const args = list(told.args).map(String);
    return [{ name, command, args, env: pairs(told.env) }];
  }
  if (url === null) return [];
  return [{ type: told.type === 'sse' ? 'sse' : 'http', name, url, headers: pairs(told.headers) }];
}
