/** The demo's own programs: an installer, a login and a menu. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const install = `echo "This installs Tools 1.0 into $PWD/tools."
printf 'Go on? [Y/n] '
read -r answer
case $answer in
  n*) echo 'Nothing was done.'; exit 1 ;;
  *) mkdir -p tools && echo 'Done.' ;;
esac
`;

const login = `trap 'stty echo' EXIT
stty -echo
printf 'Password for ada: '
read -r password
echo
if [ "$password" = "$(cat password)" ]
then echo "Welcome, ada. You typed $password."
else echo 'Sorry.'; exit 1
fi
`;

const menu = `const planets = ['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter'];
const { stdin, stdout } = process;
let chosen = 0;
const row = (name, at) => at === chosen ? '\\x1b[7m > ' + name.padEnd(21) + '\\x1b[27m' : '   ' + name.padEnd(21);
const draw = () => stdout.write('\\x1b[H\\x1b[2J' + [
  '+------------------------+',
  '| Where shall we land?   |',
  '+------------------------+',
  ...planets.map((name, at) => '|' + row(name, at) + '|'),
  '+------------------------+',
  ' Up, Down; Enter to land',
].join('\\r\\n'));
stdout.write('\\x1b[?1049h\\x1b[?25l');
stdin.setRawMode(true);
draw();
stdin.on('data', (keys) => {
  for (const [, key] of String(keys).matchAll(/(?:\\x1b[[O])?([\\s\\S])/g)) {
    if (key === 'A') chosen = Math.max(0, chosen - 1);
    if (key === 'B') chosen = Math.min(planets.length - 1, chosen + 1);
    if (key === '\\r' || key === '\\x03') {
      stdout.write('\\x1b[?25h\\x1b[?1049lWe land on ' + planets[chosen] + '.\\r\\n');
      process.exit();
    }
  }
  draw();
});
`;

export const writeDemoPrograms = (folder: string, password: string): void => {
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  write('install.sh', install);
  write('login.sh', login);
  write('menu.js', menu);
  write('password', `${password}\n`);
};
