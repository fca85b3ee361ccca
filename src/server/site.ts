// Under which names this server is reached, and so which pages are its own. A page of another name may be somebody
// else's, which has had that name lead here (rebinding).
export interface Site {
  /** How other devices reach the page; null: nobody has said. */
  readonly url: string | null;
  /** Words for whoever comes by another name. */
  readonly names: string;
  isOwnHost(host: string | string[] | undefined): boolean;
  /** Whether it is reached over TLS by that name: by our own, or by that of a proxy. */
  isSecure(host: string | undefined): boolean;
  isOwnOrigin(origin: string | string[], host: string | string[] | undefined): boolean;
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

export function siteOf({ url, tls }: { readonly url: string | null; readonly tls: boolean }): Site {
  const other = url === null ? null : new URL(url);
  const isOther = (host: unknown) => other !== null && String(host).toLowerCase() === other.host;
  return {
    url: other?.origin ?? null,
    names: `localhost, 127.0.0.1${other ? `, [::1] and ${other.host}` : ' and [::1]'}`,
    isSecure: (host) => tls || (other?.protocol === 'https:' && isOther(host)),
    isOwnHost: (host) => typeof host === 'string' && (loopback.test(host) || isOther(host)),
    isOwnOrigin: (origin, host) =>
      isOther(host) ? origin === other?.origin : origin === `${tls ? 'https' : 'http'}://${host}`,
  };
}
