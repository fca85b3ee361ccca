// Plain requests to a daemon over its unix socket, for what is not measured.
import { request } from 'node:http';

export function callDaemon(socketPath, method, path, body, more = {}) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const headers = {
    ...(length > 0 && { 'content-type': 'application/json', 'content-length': length }),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const req = request({ socketPath, method, path, headers }, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8');
        const isJson = (res.headers['content-type'] ?? '').includes('json');
        if (res.statusCode < 400) resolve(isJson && answer.trim() !== '' ? JSON.parse(answer) : null);
        else reject(new Error(`${method} ${path} was answered with ${res.statusCode}: ${answer}`));
      });
    });
    req.on('error', reject);
    req.end(text);
  });
}

/** What happens in a session after an event, as it happens, until nothing has come for 20 s. */
export async function* eventsAfter(socketPath, session, after) {
  const headers = { accept: 'text/event-stream', 'last-event-id': after };
  const path = `/events?session=${session}`;
  const answer = await new Promise((resolve, reject) => {
    const req = request({ socketPath, path, headers, agent: false, timeout: 20_000 }, resolve);
    req.on('timeout', () => req.destroy(new Error(`${session} came to a standstill`)));
    req.on('error', reject);
    req.end();
  });
  let rest = '';
  for await (const piece of answer.setEncoding('utf8')) {
    const items = (rest + piece).split('\n\n');
    rest = items.pop();
    for (const item of items) {
      const data = /^data: (.*)$/m.exec(item)?.[1];
      const { is, event } = data === undefined ? {} : JSON.parse(data);
      if (is === 'event') yield event;
    }
  }
}
