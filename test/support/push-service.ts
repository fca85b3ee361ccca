// For tests: a browser that is pushed to, and the service in between. What comes is decrypted and its signature checked
// by hand (RFC 8291, RFC 8292), so that it is held against the standards and not against the library that made it.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { type Heard, type Said, standInService } from './stand-in-service.ts';

export interface Pushed {
  readonly payload: Record<string, unknown>;
  readonly headers: Heard['headers'];
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
  /** Of whom the signature is. */
  readonly key: string;
}

export async function standInPushService(answer: () => Said = () => ({ status: 201 })) {
  const browser = createECDH('prime256v1');
  const publicKey = browser.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  const service = await standInService((heard) => {
    const said = answer();
    if (said.status === 201) pushed.push(read(heard));
    return said;
  });

  function read({ headers, body }: Heard): Pushed {
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? [];
    return { payload: JSON.parse(decrypt(body)), headers, claims: claimsOf(token, key), key };
  }

  function decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const idLength = body.readUInt8(20);
    const sender = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
    const shared = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), auth, info, 32));
    const part = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, length));
    const opening = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
    opening.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
  }

  return {
    pushed,
    origin: service.url,
    subscription: {
      endpoint: `${service.url}/send/s3cret`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    close: () => service.close(),
  };
}

function claimsOf(token: string, key: string): Pushed['claims'] {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
}
