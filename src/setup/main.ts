// The program behind `sm setup` and `sm uninstall`: a bundle of its own, because of its dialogs.
import { resolvePaths } from '../daemon/paths.ts';
import { versionBeside } from '../daemon/version.ts';
import { type PartName, partNames } from '../ledger/ledger.ts';
import { plainDialog, promptingDialog } from './dialog.ts';
import { openPlace } from './place.ts';
import { runSetup } from './setup.ts';
import { runUninstall } from './uninstall.ts';

async function main([program = '', ...args]: readonly string[]): Promise<number> {
  const paths = resolvePaths(process.env, __dirname);
  const place = openPlace(paths, versionBeside(paths.dist));
  const has = (option: string) => args.includes(option);
  const parts = partNames.filter((name): name is PartName => args.includes(name));
  const plain = has('--yes') || has('--dry-run');
  const dialog = plain ? plainDialog((text) => console.log(text)) : await promptingDialog();
  return program === 'uninstall'
    ? runUninstall(place, { parts, kill: has('--kill') }, dialog)
    : runSetup(place, { parts: parts.length > 0 ? parts : partNames, dryRun: has('--dry-run') }, dialog);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(`Error: ${error.message}`);
    process.exitCode = 1;
  },
);
