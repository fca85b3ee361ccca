import { describe, expect, it } from 'vitest';
import { siteOf } from './site.ts';

describe('a server on loopback', () => {
  const site = siteOf({ url: null, tls: false });
  it.each(['localhost', '127.0.0.1:8420', '[::1]:9', 'LOCALHOST:1'])('answers to %s', (host) => {
    expect(site.isOwnHost(host)).toBe(true);
    expect(site.isOwnOrigin(`http://${host}`, host)).toBe(true);
    expect(site.isOwnOrigin(`https://${host}`, host)).toBe(false);
  });
  it.each([undefined, '', 'evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', 'evil.example:8420'])(
    'does not answer to %j',
    (host) => expect(site.isOwnHost(host)).toBe(false),
  );
});

describe('a server that others reach by a name', () => {
  const site = siteOf({ url: 'https://box.tail.ts.net/', tls: false });
  it('answers to that name too, over TLS', () => {
    expect(site.url).toBe('https://box.tail.ts.net');
    expect(site.isOwnHost('box.tail.ts.net')).toBe(true);
    expect(site.isSecure('box.tail.ts.net')).toBe(true);
    expect(site.isSecure('127.0.0.1:8420')).toBe(false);
    expect(site.isOwnOrigin('https://box.tail.ts.net', 'box.tail.ts.net')).toBe(true);
    expect(site.isOwnOrigin('http://box.tail.ts.net', 'box.tail.ts.net')).toBe(false);
    expect(site.isOwnOrigin('https://evil.example', 'box.tail.ts.net')).toBe(false);
    expect(site.isOwnOrigin('https://box.tail.ts.net', '127.0.0.1:8420')).toBe(false);
    expect(site.isOwnHost('box.tail.ts.net:81')).toBe(false);
  });
});
