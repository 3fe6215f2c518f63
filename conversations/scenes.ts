/**
 * What a conversation needs around it: a server, a repository, a program that was built.
 *
 * A scene is made in a folder of its own, listens only on private sockets or free loopback ports,
 * and leaves nothing behind when it is struck.
 */

export interface Scene {
  /** Added to the environment of the program; how its command line finds what was made. */
  env: Readonly<Record<string, string>>;
  strike(): Promise<void>;
}

export type MakeScene = (folder: string) => Promise<Scene>;

export const scenes: Readonly<Record<string, MakeScene>> = {};
