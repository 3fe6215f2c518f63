import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNTIL_RELEASED } from '../conversation.ts';
import type { MakeScene } from '../scenes.ts';
import { run } from './run.ts';

/** Paths in the package, and what they hold; `DEBIAN/` holds the scripts that dpkg runs. */
type Files = Readonly<Record<string, string>>;

/**
 * A repository of Debian packages, and a root folder to install them in, with a package database
 * of its own: that of the machine is not touched.
 *
 * `greeter` needs `greeter-data`, which asks for its licence to be accepted and waits for the release to
 * be set up. `keeper` 1 is installed with a configuration file that was changed since; version 2
 * is in $FOLDER/keeper.deb. $DPKG runs dpkg on that root.
 */
export const packages: MakeScene = async (folder) => {
  const home = join(folder, 'packages');
  const root = join(home, 'root');
  const dpkg = [`--root=${root}`, '--force-not-root', '--force-script-chrootless'];
  write(root, { 'var/lib/dpkg/status': '', 'var/lib/dpkg/available': '' });
  for (const name of ['info', 'updates', 'triggers']) mkdirSync(join(root, 'var/lib/dpkg', name));
  for (const name of [
    'state/lists/partial',
    'cache/archives/partial',
    'log',
    'etc/none',
    'etc/preferences.d',
  ]) {
    mkdirSync(join(home, 'apt', name), { recursive: true });
  }

  await build(home, 'greeter', '1', { 'usr/share/greeter': 'hello\n' }, 'Depends: greeter-data\n');
  await build(home, 'greeter-data', '1', {
    'DEBIAN/preinst': licence,
    'DEBIAN/postinst': `#!/bin/sh\ncd ${folder}\n${UNTIL_RELEASED}\n`,
    'usr/share/greeter-data': 'words\n',
  });
  const keeper = (version: string) => ({
    'etc/keeper.conf': `version = ${version}\n`,
    'DEBIAN/conffiles': '/etc/keeper.conf\n',
  });
  await build(home, 'keeper', '1', keeper('1'));
  await run('dpkg', [...dpkg, '-i', join(home, 'keeper.deb')]);
  writeFileSync(join(root, 'etc/keeper.conf'), 'version = 1, but mine\n');
  await build(home, 'keeper', '2', keeper('2'));

  const index = ['greeter', 'greeter-data'].map((name) => indexEntry(home, name));
  writeFileSync(join(home, 'Packages'), index.join('\n'));
  writeFileSync(join(home, 'apt/etc/sources.list'), `deb [trusted=yes] file:${home} ./\n`);
  writeFileSync(join(home, 'apt.conf'), aptConfig(home, root, dpkg));
  const env = { APT_CONFIG: join(home, 'apt.conf') };
  await run('apt-get', ['-q', 'update'], { env });
  return {
    env: { ...env, FOLDER: home, DPKG: `dpkg ${dpkg.join(' ')}` },
    strike: async () => {},
  };
};

const licence = `#!/bin/sh
echo 'Greeter may be used for greeting only.'
printf 'Do you accept the licence? [yes/no] '
read answer
[ "$answer" = yes ]
`;

const write = (folder: string, files: Files) => {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (text.startsWith('#!')) chmodSync(path, 0o755);
  }
};

const build = async (home: string, name: string, version: string, files: Files, more = '') => {
  const source = join(home, `${name}-${version}`);
  const control = `Package: ${name}
Version: ${version}
Architecture: all
Maintainer: Ada <ada@example.org>
${more}Description: made by a test
`;
  write(source, { ...files, 'DEBIAN/control': control });
  await run('dpkg-deb', ['--root-owner-group', '-b', source, join(home, `${name}.deb`)]);
};

const indexEntry = (home: string, name: string) => {
  const bytes = readFileSync(join(home, `${name}.deb`));
  const sum = createHash('sha256').update(bytes).digest('hex');
  const control = readFileSync(join(home, `${name}-1/DEBIAN/control`), 'utf8');
  return `${control}Filename: ./${name}.deb\nSize: ${bytes.length}\nSHA256: ${sum}\n`;
};

const aptConfig = (home: string, root: string, dpkg: readonly string[]) => `
Dir "${home}/apt/";
Dir::State "state/";
Dir::State::status "${root}/var/lib/dpkg/status";
Dir::Cache "cache/";
Dir::Log "log/";
Dir::Etc "etc/";
Dir::Etc::main "none";
Dir::Etc::parts "none";
Dir::Bin::methods "/usr/lib/apt/methods/";
Dir::Bin::dpkg "/usr/bin/dpkg";
APT::Sandbox::User "";
DPkg::Options { ${dpkg.map((option) => `"${option}";`).join(' ')} };
`;
