/** The outcomes, one row for each client, and below the table what is not simply ok. */

/** Returns how many have failed. */
export const printTable = (clients, scenarios, results) => {
  const notes = [];
  const cell = ({ kind }, { name }) => {
    const { outcome, detail } = results.get(`${kind.name} ${name}`);
    if (!detail) return outcome;
    notes.push(`${kind.title}, ${name}: ${outcome === 'ok' ? '' : `${outcome}: `}${detail}`);
    return `${outcome} [${notes.length}]`;
  };
  const rows = [
    ['client', 'version', ...scenarios.map(({ name }) => name)],
    ...clients.map((client) => [
      client.kind.title,
      client.version ?? '-',
      ...scenarios.map((scenario) => cell(client, scenario)),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  for (const [index, note] of notes.entries()) console.log(`[${index + 1}] ${note}`);
  return [...results.values()].filter(({ outcome }) => outcome === 'FAILED').length;
};
