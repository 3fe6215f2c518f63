/** What every implementation of `Sessions` promises of `rename` and of the keyboard's events. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SessionEvent, Sessions } from '../../src/session/sessions.ts';
import { until } from '../helpers/until.ts';

export const renameContract = (name: string, connect: () => Promise<Sessions>) =>
  describe(`${name} keeps the contract of Sessions: rename`, () => {
    const begin = async () => {
      const sessions = await connect();
      onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
      await sessions.open({ command: ['cat'], name: 'old' });
      return sessions;
    };

    test('gives a session another name, and frees the old one', async () => {
      const sessions = await begin();
      await sessions.send('old', { text: 'before' });
      await sessions.rename('old', 'new');
      expect(await sessions.list()).toMatchObject([{ session: 'new' }]);
      await expect(sessions.read('old')).rejects.toMatchObject({
        code: 'SESSION_NOT_FOUND',
        details: { session: 'old', open: ['new'] },
      });
      expect(await sessions.send('new', { text: 'after' })).toMatchObject({
        session: 'new',
        output: 'after',
      });
      const other = await sessions.open({ command: ['cat'], name: 'old' });
      expect(other.session).toBe('old');
      await sessions.close('new');
      expect(await sessions.list()).toMatchObject([{ session: 'old' }]);
    });

    test('refuses a name that is taken or unusable, and changes nothing', async () => {
      const sessions = await begin();
      await sessions.open({ command: ['cat'], name: 'other' });
      const refused = [
        ['old', 'other', 'NAME_TAKEN'],
        ['old', 'a b', 'UNUSABLE_NAME'],
        ['old', '', 'UNUSABLE_NAME'],
        ['nobody', 'somebody', 'SESSION_NOT_FOUND'],
        ['nobody', 'nobody', 'SESSION_NOT_FOUND'],
      ] as const;
      for (const [from, to, code] of refused)
        await expect(sessions.rename(from, to)).rejects.toMatchObject({ code });
      await sessions.rename('old', 'old');
      const names = (await sessions.list()).map(({ session }) => session);
      expect(names.sort()).toEqual(['old', 'other']);
    });

    test('lets waits and subscriptions go on, under the new name', async () => {
      const sessions = await begin();
      const events: SessionEvent[] = [];
      const exits: SessionEvent[] = [];
      sessions.subscribe((event) => events.push(event), 'old');
      sessions.subscribe((event) => exits.push(event), 'old', ['exited', 'closed']);
      await until('both are subscribed', () => events.some(({ type }) => type === 'screen'));
      const waiting = sessions.wait({ sessions: ['old'], match: 'hello' });
      await sessions.rename('old', 'new');
      await sessions.send('new', { text: 'hello' });
      expect(await waiting).toMatchObject({ session: 'new', matched: 'hello' });
      await sessions.close('new');
      await until('both know the end', () => exits.some(({ type }) => type === 'closed'));
      await until('all was told', () => events.some(({ type }) => type === 'closed'));
      const at = events.findIndex(({ type }) => type === 'renamed');
      expect(events[at]).toEqual({ session: 'old', type: 'renamed', to: 'new' });
      expect(new Set(events.slice(0, at).map(({ session }) => session))).toEqual(new Set(['old']));
      expect(new Set(events.slice(at + 1).map(({ session }) => session))).toEqual(new Set(['new']));
      expect(exits.map(({ session, type }) => `${session} ${type}`)).toEqual([
        'new exited',
        'new closed',
      ]);
    });

    test('leaves the keyboard with its holder, and events tell who takes it and gives it back', async () => {
      const sessions = await begin();
      const events: SessionEvent[] = [];
      sessions.subscribe((event) => events.push(event), 'old', ['keyboard', 'closed']);
      await sessions.take('old', { actor: 'ada' });
      await sessions.take('old', { actor: 'ada' });
      await sessions.rename('old', 'new');
      await expect(sessions.send('new', { text: 'x' })).rejects.toMatchObject({
        code: 'KEYBOARD_TAKEN',
        details: { session: 'new', actor: 'ada' },
      });
      await sessions.giveBack('new', { actor: 'bob' });
      await sessions.giveBack('new', { actor: 'ada' });
      await until('it was told', () => events.length === 2);
      const caller = expect.objectContaining({ door: 'library', kind: 'agent' });
      expect(events).toEqual([
        { session: 'old', type: 'keyboard', holder: 'ada', caller },
        { session: 'new', type: 'keyboard', caller },
      ]);
    });

    test('a summary tells who opened a session, and who typed last', async () => {
      const sessions = await begin();
      const [summary] = await sessions.list();
      expect(summary!.openedBy).toMatchObject({ door: 'library', kind: 'agent' });
      expect(summary).not.toHaveProperty('inputBy');
      await sessions.send('old', { text: 'x' });
      expect((await sessions.list())[0]).toMatchObject({ inputBy: { door: 'library' } });
    });
  });
