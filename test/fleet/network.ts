// Machines with a network between them: each is a network namespace with one cable to a router, which is a namespace too. The
// router can swallow what a machine sends, what is sent to it, or what goes between two of them. Nothing outside is touched.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** What a program is run by, to run there. */
  readonly within: readonly string[];
  /** Nothing that it sends arrives, or nothing that is sent to it; both; or all does again. */
  become(state: 'open' | 'cut' | 'deaf' | 'mute'): Promise<void>;
}

export interface Network {
  machine(name: string): Promise<Machine>;
  dispose(): Promise<void>;
}

/** Only root may make one. */
export const canMakeNetworks = async (): Promise<boolean> => {
  const name = `smt${process.pid}`;
  return ip('netns', 'add', name).then(
    () => ip('netns', 'del', name).then(() => true),
    () => false,
  );
};

let networks = 0;

export async function makeNetwork(): Promise<Network> {
  networks += 1;
  const prefix = `smf${process.pid.toString(36)}${networks.toString(36)}`;
  const router = `${prefix}r`;
  const names: string[] = [];
  const add = async (name: string) => {
    await ip('netns', 'add', name);
    names.push(name);
    await ip('-n', name, 'link', 'set', 'lo', 'up');
  };
  await add(router);
  await run('ip', ['netns', 'exec', router, 'sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward']);

  return {
    async machine(name) {
      const number = names.length;
      const own = `${prefix}m${number}`;
      const [subnet, cable] = [`10.77.${number}`, `${prefix}v${number}`];
      await add(own);
      await ip('-n', router, 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', own);
      await ip('-n', router, 'address', 'add', `${subnet}.1/24`, 'dev', cable);
      await ip('-n', router, 'link', 'set', cable, 'up');
      await ip('-n', own, 'address', 'add', `${subnet}.2/24`, 'dev', 'eth0');
      await ip('-n', own, 'link', 'set', 'eth0', 'up');
      await ip('-n', own, 'route', 'add', 'default', 'via', `${subnet}.1`);
      const rules = {
        mute: ['iif', cable, 'blackhole', 'pref', String(1000 + number)],
        deaf: ['to', `${subnet}.0/24`, 'blackhole', 'pref', String(2000 + number)],
      };
      const set = new Set<'mute' | 'deaf'>();
      return {
        name,
        address: `${subnet}.2`,
        within: ['ip', 'netns', 'exec', own],
        async become(state) {
          for (const rule of ['mute', 'deaf'] as const) {
            const isOn = state === rule || state === 'cut';
            if (isOn === set.has(rule)) continue;
            await ip('-n', router, 'rule', isOn ? 'add' : 'del', ...rules[rule]);
            if (isOn) set.add(rule);
            else set.delete(rule);
          }
        },
      };
    },
    async dispose() {
      for (const name of names) await ip('netns', 'del', name).catch(() => undefined);
    },
  };
}

const ip = (...args: string[]) => run('ip', args);
