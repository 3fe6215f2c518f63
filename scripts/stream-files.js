/** What the recorded programs work on: made anew for every recording, and the same everywhere. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const words = 'the quick brown fox jumps over the lazy dog while it rains'.split(' ');

const files = {
  'notes.txt': 'Notes\n\nthe first note\nthe second note\n\tindented by a tab\nlast\n',
  'table.txt': Array.from({ length: 40 }, (_, row) => `${row}\t${row * row}\t${row ** 3}`).join(
    '\n',
  ),
  'long.txt': Array.from(
    { length: 300 },
    (_, at) => `line ${at + 1}: ${words[at % words.length]}`,
  ).join('\n'),
  'emoji.txt':
    '😀 grinning\n👍🏽 thumbs up, medium skin\n👨‍👩‍👧 family\n🇩🇪🇯🇵 flags\n❤️ heart\n1️⃣ keycap\n☃ snowman\ne\u0301 and a\u0308 combined\n' +
    `${'😀'.repeat(45)}\n`,
  'cjk.txt': `漢字かな交じり文\n한국어 문장\n中文字符，全角标点。\n半角ｶﾅ and ＦＵＬＬ\n${'字'.repeat(85)}\n`,
  'rtl.txt': 'שלום עולם\nمرحبا بالعالم\nmixed: abc אבג 123 دهو xyz\n',
  'page.html':
    '<title>A page</title><h1>A page</h1><p>With <a href="a">a link</a> and <a href="b">another</a>.<table border=1><tr><td>1<td>2</table>',
  'tmux.conf':
    'set -g status-right ""\nset -g default-command "env PS1=\'$ \' sh"\nset -g escape-time 0\n',
  'demo.1': `.TH DEMO 1\n.SH NAME\ndemo \\- a page of manual\n.SH DESCRIPTION\n${'.B demo\nshows \\fIhow\\fR a page looks.\n.PP\n'.repeat(30)}`,
  'crash.py':
    'import json\n\ndef inner(value):\n    return json.loads(value)\n\ndef outer():\n    try:\n        inner("{broken")\n    except ValueError as error:\n        raise RuntimeError("could not read it") from error\n\nouter()\n',
  'bars.py':
    'import time\nfrom tqdm import tqdm\nfor _ in tqdm(range(1000), desc="reading"):\n    time.sleep(0.006)\nfor _ in tqdm(range(200), desc="writing", ascii=True):\n    time.sleep(0.004)\nprint("done")\n',
  'rich-progress.py':
    'import time\nfrom rich.progress import Progress\nwith Progress() as progress:\n    a = progress.add_task("[red]Downloading", total=100)\n    b = progress.add_task("[green]Unpacking", total=100)\n    for step in range(100):\n        progress.advance(a, 1)\n        progress.advance(b, 0.7)\n        if step % 25 == 0: progress.console.print(f"step {step}")\n        time.sleep(0.02)\n',
  'layers.py':
    'import sys, time\nlayers = ["a1b2", "c3d4", "e5f6", "0718"]\nfor layer in layers: print(f"{layer}: Pulling fs layer")\nfor percent in range(0, 101, 2):\n    for row, layer in enumerate(layers):\n        up = len(layers) - row\n        done = min(100, percent * (row + 1) // 2)\n        bar = "=" * (done // 4) + ">"\n        text = f"Downloading [{bar:<27}] {done:>3}%" if done < 100 else "Pull complete"\n        sys.stdout.write(f"\\x1b[{up}A\\r\\x1b[2K{layer}: {text}\\x1b[{up}B\\r")\n    sys.stdout.flush()\n    time.sleep(0.02)\nprint("Status: Downloaded")\n',
  'spinner.py':
    'import sys, time\nsys.stdout.write("\\x1b[?25l")\nfor step in range(150):\n    sys.stdout.write(f"\\r\\x1b[36m{chr(0x280b + step % 8)}\\x1b[39m Working on item {step // 10}...\\x1b[K")\n    sys.stdout.flush()\n    time.sleep(0.01)\nsys.stdout.write("\\r\\x1b[K\\x1b[32m\\u2714\\x1b[39m Worked on 15 items\\n\\x1b[?25h")\nfor step in range(60):\n    sys.stdout.write("|/-\\\\"[step % 4] + "\\b")\n    sys.stdout.flush()\n    time.sleep(0.005)\nprint("ok")\n',
  'colours.py':
    'for base in range(0, 256, 16):\n    print("".join(f"\\x1b[48;5;{base + at}m {base + at:>3} " for at in range(16)) + "\\x1b[0m")\nprint("\\x1b[1mbold\\x1b[0m \\x1b[3mitalic\\x1b[0m \\x1b[4munderlined\\x1b[0m \\x1b[7mreverse\\x1b[0m \\x1b[9mstruck\\x1b[0m \\x1b[38;2;255;100;0mtruecolour\\x1b[0m")\n',
};

export function makeFiles(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'big.bin'), Buffer.alloc(8 * 1024 * 1024, 'big'));
  writeFileSync(join(folder, 'small.bin'), Buffer.alloc(2 * 1024 * 1024, 'small'));
  for (const at of Array.from({ length: 10 }).keys()) makePackage(folder, `dep-${at}`);
  for (const name of ['demo-a', 'demo-b']) makeDeb(folder, name);
  makeWheel(folder);
  makeRepository(folder);
}

function makePackage(folder, name) {
  const root = join(folder, 'packages', name);
  mkdirSync(join(root, 'package'), { recursive: true });
  writeFileSync(join(root, 'package', 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  execFileSync('tar', ['czf', join(folder, `${name}.tgz`), '-C', root, 'package']);
}

function makeDeb(folder, name) {
  const root = join(folder, 'debs', name);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  writeFileSync(
    join(root, 'DEBIAN', 'control'),
    `Package: ${name}\nVersion: 1.0\nArchitecture: all\nMaintainer: Demo <demo@example.org>\nDescription: nothing\n`,
  );
  execFileSync('dpkg-deb', ['--build', root, join(folder, `${name}.deb`)], { stdio: 'ignore' });
}

/** A wheel is a zip; python makes it, so that no zip program is needed. */
function makeWheel(folder) {
  const script = `
import zipfile
with zipfile.ZipFile("demo-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("demo/data.bin", b"demo" * 1500000)
    wheel.writestr("demo-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: demo\\nVersion: 1.0\\n")
    wheel.writestr("demo-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: demo\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("demo-1.0.dist-info/RECORD", "")
`;
  execFileSync('/usr/bin/python3', ['-c', script], { cwd: folder });
}

function makeRepository(folder) {
  const git = (...args) =>
    execFileSync('git', args, {
      cwd: folder,
      stdio: 'ignore',
      env: {
        PATH: '/usr/bin:/bin',
        HOME: folder,
        GIT_AUTHOR_NAME: 'A Author',
        GIT_AUTHOR_EMAIL: 'a@example.org',
        GIT_COMMITTER_NAME: 'A Author',
        GIT_COMMITTER_EMAIL: 'a@example.org',
        GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
        GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
      },
    });
  git('init', '-q', '-b', 'main');
  for (const at of Array.from({ length: 12 }).keys()) {
    writeFileSync(join(folder, 'code.txt'), `${words.slice(0, at + 1).join('\n')}\n`);
    git('add', 'code.txt');
    git('commit', '-q', '-m', `commit ${at + 1}`);
  }
  const changed = words.toSpliced(0, 1, 'a').toSpliced(-1, 1, 'snows');
  writeFileSync(join(folder, 'code.txt'), `${changed.join('\n')}\n`);
}
