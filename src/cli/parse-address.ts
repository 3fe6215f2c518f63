import { UsageError } from './parse-args.ts';

/** For `[HOST:]PORT`. Without a host, only this machine. */
export const parseAddress = (flag: string, text: string): { host: string; port: number } => {
  const [, host, port] = /^(?:\[?(.+?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`${flag} takes a port, or an address and a port, not "${text}".`);
  return { host: host ?? '127.0.0.1', port: Number(port) };
};
