/** Whether a version of this package is newer than another: 0.10.0 than 0.9.1, 1.0.0 than 1.0.0-rc.1. */
export const isNewerVersion = (version: string, than: string): boolean => {
  const [ours, theirs] = [parse(version), parse(than)];
  // Something that is no version is never newer.
  if (ours === undefined || theirs === undefined) return false;
  for (const [at, number] of ours.numbers.entries())
    if (number !== theirs.numbers[at]) return number > theirs.numbers[at]!;
  if (ours.prerelease === '' || theirs.prerelease === '')
    return theirs.prerelease > ours.prerelease;
  return ours.prerelease.localeCompare(theirs.prerelease, 'en', { numeric: true }) > 0;
};

const parse = (version: string): { numbers: number[]; prerelease: string } | undefined => {
  const [, major, minor, patch, prerelease = ''] =
    /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+.*)?$/.exec(version) ?? [];
  if (patch === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), prerelease };
};
