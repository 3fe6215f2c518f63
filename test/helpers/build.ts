import { execFileSync } from 'node:child_process';

/** Types are checked by `npm run types`; here only the output matters. */
export const setup = () => {
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--noCheck'], {
    stdio: 'inherit',
  });
  execFileSync(process.execPath, ['scripts/build-page.js'], { stdio: 'inherit' });
};
