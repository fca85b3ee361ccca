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
