import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNTIL_RELEASED } from '../conversation.ts';
import type { MakeScene } from '../scenes.ts';

/** A package's questions, asked by debconf with a private database: $ASK asks them. */
export const debconf: MakeScene = async (folder) => {
  const home = join(folder, 'debconf');
  mkdirSync(home);
  const file = (name: string, text: string) => writeFileSync(join(home, name), text);
  file('templates', templates);
  file('ask', script(home));
  file('debconf.conf', config(home));
  chmodSync(join(home, 'ask'), 0o755);
  return {
    env: { ASK: join(home, 'ask'), DEBCONF_SYSTEMRC: join(home, 'debconf.conf') },
    strike: async () => {},
  };
};

const templates = `Template: greeter/licence
Type: boolean
Default: false
Description: Do you accept the licence?
 Greeter may be used for greeting only.

Template: greeter/name
Type: string
Description: Whom shall it greet?
 It can greet one person.
`;

const script = (home: string) => `#!/bin/sh -e
. /usr/share/debconf/confmodule
db_x_loadtemplatefile ${home}/templates greeter
db_input high greeter/licence
db_go
db_get greeter/licence
[ "$RET" = true ] || exit 3
${UNTIL_RELEASED}
db_input high greeter/name
db_go
db_get greeter/name
echo "Hello $RET" >&2
`;

const config = (home: string) => `Config: configdb
Templates: templatedb

Name: configdb
Driver: File
Filename: ${home}/config.dat

Name: templatedb
Driver: File
Filename: ${home}/templates.dat
`;
