// Whether somebody gets in through the port without the token.
import type { Config } from './config.ts';

/** Whoever gets in without the token is taken for the person, or is believed: so could an agent in a sandbox be. */
export function doorWithoutToken({ server }: Pick<Config, 'server'>): string | null {
  const open = server.auth === 'none' ? 'auth: none' : server.open_hooks ? 'open_hooks: true' : null;
  return (
    open &&
    `A sandbox holds nobody who can come back in through the port: take server: { ${open} } out of the configuration first.`
  );
}
