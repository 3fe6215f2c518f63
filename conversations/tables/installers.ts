import { type Conversation, UNTIL_RELEASED } from '../conversation.ts';

const licence = `LICENCE\n${'You may use this program as you like.\n'.repeat(60)}END OF LICENCE\n`;

const script = `
printf 'Where to install? [/opt/greeter] '
read folder
echo "Into \${folder:-/opt/greeter}."
less licence.txt
while :; do
  read -p 'Do you accept the licence? (yes/no) ' answer
  case $answer in yes) break;; no) exit 3;; *) echo 'Please say yes or no.';; esac
done
PS3='Which edition? '
select edition in small large huge; do test -n "$edition" && break; done
echo "The $edition edition."
read -s -p 'Password for the service: ' password; echo
read -n 1 -p 'Press any key to begin' key; echo
for part in one two; do echo "Installing $part"; ${UNTIL_RELEASED}; done
echo "Done, password of \${#password} characters."
`;

const wizard = `
import getpass, sys
name = input("Name: ")
while True:
    try:
        port = int(input(f"Port for {name}: "))
        break
    except ValueError:
        print("That is no number.")
first, again = getpass.getpass("Password: "), getpass.getpass("Again: ")
if first != again:
    sys.exit("They differ.")
print(f"{name} on {port}")
`;

export const installers: readonly Conversation[] = [
  {
    name: 'an installer in bash',
    kind: 'installer',
    needs: ['bash', 'less'],
    files: { 'install.sh': script, 'licence.txt': licence },
    open: 'bash install.sh',
    steps: [
      { expect: { for: 'line', prompt: /^Where to install\? \[\/opt\/greeter\] $/ } },
      { keys: 'Enter', shows: /^LICENCE$/m, expect: { for: 'key' } },
      { keys: 'Space', expect: { for: 'key' } },
      { keys: 'G', shows: /^END OF LICENCE$/m, expect: { for: 'key' } },
      {
        keys: 'q',
        shows: /^Into \/opt\/greeter\.$/m,
        expect: { for: 'line', prompt: /^Do you accept the licence\? \(yes\/no\) $/ },
      },
      {
        type: 'perhaps',
        shows: /^Please say yes or no\.$/m,
        expect: { for: 'line', prompt: /^Do you accept/ },
      },
      { type: 'yes', shows: /^3\) huge$/m, expect: { for: 'line', prompt: /^Which edition\? $/ } },
      { type: '7', expect: { for: 'line', prompt: /^Which edition\? $/ } },
      {
        type: '2',
        shows: /^The large edition\.$/m,
        expect: { for: 'secret', prompt: /^Password for the service: $/ },
      },
      { type: 'hunter2', expect: { for: 'key', prompt: /^Press any key to begin$/ } },
      { keys: 'x', shows: /^Installing one$/m, expect: { working: 'sleeping' } },
      { release: true, shows: /^Done, password of 7 characters\.$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'an installer in python',
    kind: 'installer',
    needs: ['python3'],
    files: { 'wizard.py': wizard },
    open: 'python3 wizard.py',
    steps: [
      { expect: { for: 'line', prompt: /^Name: $/ } },
      { type: 'greeter', expect: { for: 'line', prompt: /^Port for greeter: $/ } },
      {
        type: 'eighty',
        shows: /^That is no number\.$/m,
        expect: { for: 'line', prompt: /^Port for greeter: $/ },
      },
      { type: '80', expect: { for: 'secret', prompt: /^Password: $/ } },
      { type: 'one', expect: { for: 'secret', prompt: /^Again: $/ } },
      { type: 'two', shows: /^They differ\.$/m, expect: { exited: 1 } },
    ],
  },
  {
    name: 'an installer in dialogs',
    kind: 'installer',
    needs: ['dialog', 'dash'],
    files: {
      'install.sh': `dialog --yesno "Go on?" 6 30 || exit 1
name=$(dialog --stdout --inputbox "Your name?" 8 30)
(echo 10; ${UNTIL_RELEASED}; echo 100) | dialog --gauge "Installing" 8 40
dialog --msgbox "Welcome, $name" 8 40
`,
    },
    open: 'dash install.sh',
    steps: [
      { shows: /Go on\?/, expect: { for: 'key' } },
      { keys: 'Enter', shows: /Your name\?/, expect: { for: 'key' } },
      { text: 'Ada', shows: /Ada/, expect: { for: 'key' } },
      { keys: 'Enter', shows: /Installing/, expect: { working: 'anything' } },
      { release: true, shows: /Welcome, Ada/, expect: { for: 'key' } },
      { keys: 'Enter', expect: { exited: 0 } },
    ],
  },
];
