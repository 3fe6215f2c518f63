import { defineCommand } from '../command.ts';
import { EXIT_DONE } from '../exit-codes.ts';
import { parseAddress } from '../parse-address.ts';
import { UsageError } from '../parse-args.ts';

export const viewCommand = defineCommand({
  name: 'view',
  summary: 'see all sessions in the browser, and use them there',
  words: [{ usage: '[NAME]', sessions: true }],
  options: {
    port: {
      value: '[HOST:]PORT',
      parse: parseAddress,
      default: '0',
      description: 'where the page is served: on 127.0.0.1 unless HOST says otherwise; 0: any port',
    },
    'read-only': { description: 'look on: with no link can anything be typed or answered' },
    'no-browser': { description: 'print the links, and open no browser' },
    json: { description: 'print the links as one JSON object' },
  },
  notes: [
    'It goes on until Ctrl-C. The sessions go on after it.',
    'Who has a link can use it: the second one is to look only. Each start makes new ones.',
    'Only a person can type and answer there, so it wants a terminal that is none of our sessions; --read-only does not.',
  ],
  examples: [
    ['repartee view', 'opens the browser'],
    ['repartee view build', 'at session "build"'],
    ['repartee view --port 8080 --no-browser', 'on a machine that you reach by ssh -L 8080:…'],
  ],
  async run({ values, words: [session, ...more] }) {
    if (more.length > 0) throw new UsageError('Say `repartee view`, or `repartee view NAME`.');
    const { port: address, 'read-only': isReadOnly, 'no-browser': noBrowser, json } = values;
    const { serveView } = await import('../view/serve-view.ts');
    await serveView({ address, isReadOnly, opensBrowser: !noBrowser && !json, json, session });
    return EXIT_DONE;
  },
});
