// A daemon for the page alone: serves its files, signs everybody in, and tells of as many sessions and events as one likes.
// With a real one, what is measured in the browser would be lost in what 200 agents take.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { dist } from './paths.mjs';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** `view`: of a real session, as which all of them are made. */
export async function openStandIn(view, count) {
  const readers = new Set();
  const sessions = Array.from({ length: count }, (_, n) => ({
    ...view,
    id: `s${String(n).padStart(7, '0')}`,
    name: `worker-${n}`,
    display_name: `worker-${n}`,
    friendly_name: `worker-${n}`,
    parent_session_id: n % 10 === 0 ? null : `s${String(n - (n % 10)).padStart(7, '0')}`,
  }));
  let number = 0;
  let serial = 0;
  const server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url, 'http://x');
    const json = (body) => answer.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (pathname === '/' || pathname.startsWith('/assets/')) {
      const file = pathname === '/' ? 'index.html' : pathname.slice(1);
      answer.setHeader('content-type', types[extname(file)] ?? 'text/plain');
      return answer.end(readFileSync(join(dist, 'web', file)));
    }
    if (pathname === '/devices') return json({ key: 'key', device: { guest_of: null } });
    if (pathname === '/events' && asked.headers.accept?.includes('text/event-stream')) {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(
        `id: ${number}\ndata: ${JSON.stringify({ is: 'connected', after: number, sessions })}\n\n`,
      );
      readers.add(answer);
      return answer.on('close', () => readers.delete(answer));
    }
    return json({ events: [], messages: [], limits: [], entries: [] });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  /** One session begins or ends a turn, and another one writes to it. Resolves when the page has room for more. */
  async function happen(times) {
    let text = '';
    for (let n = 0; n < times; n += 1) {
      serial += 1;
      const at = serial % count;
      const phase = sessions[at].phase === 'idle' ? 'working' : 'idle';
      const now = new Date().toISOString();
      sessions[at] = { ...sessions[at], phase, phase_since: now, agent_status_text: `step ${serial}` };
      const head = { number: ++number, session_id: sessions[at].id, at: now };
      const from = { kind: 'session', id: sessions[(at + 7) % count].id, name: 'worker' };
      const state =
        serial % 3 === 0 ? { state: 'answered', turn: null } : { state: 'queued', from, mode: 'sequential' };
      const message = serial % 3 === 0 ? `m${serial - 1}` : `m${serial}`;
      const event = { ...head, type: 'message', message, ...state };
      text += `data: ${JSON.stringify({ is: 'session', session: sessions[at] })}\n\n`;
      text += `id: ${number}\ndata: ${JSON.stringify({ is: 'event', event })}\n\n`;
    }
    await Promise.all(
      [...readers].map(
        (reader) => reader.write(text) || new Promise((resolve) => reader.once('drain', resolve)),
      ),
    );
  }

  return {
    address: `http://127.0.0.1:${server.address().port}`,
    happen,
    /** What the page shows once it has heard all of it. */
    last: () => `step ${serial}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
