// @ts-check
/**
 * What the stand-ins for a model say, turn by turn, and what they must be told in return: they play
 * the same conversation in every format, with real programs at the other end.
 */

/**
 * @typedef {object} ToolCall
 * @property {string} id
 * @property {string} name
 * @property {Record<string, unknown>} input
 * @property {string} answer  What the result must contain.
 * @property {boolean} [fails]  Whether the result must be marked as an error.
 */

/** @type {(name: string, input: Record<string, unknown>, answer: string) => Omit<ToolCall, 'id'>} */
const call = (name, input, answer) => ({ name, input, answer });

const deploy = `python3 -c "print('deploying:', input('Deploy to production? '))"`;

/** @type {readonly (readonly Omit<ToolCall, 'id'>[])[]} */
const calls = [
  // Two in one turn: an agent's loop has to answer both.
  [
    call('terminal_open', { command: 'python3 -q' }, 'waiting for a line at ">>> "'),
    call('terminal_open', { command: deploy, name: 'deploy' }, 'Deploy to production? '),
  ],
  [
    call('terminal_send', { session: 'python3', text: 'sum(range(101))' }, '5050'),
    call('terminal_send', { session: 'deploy', text: 'no' }, 'exit code 0'),
  ],
  [{ ...call('terminal_read', { session: 'nobody' }, 'No session "nobody"'), fails: true }],
  [call('terminal_run', { command: 'echo 42; exit 3' }, '42\n[exit code 3')],
  [call('terminal_close', { session: 'python3' }, 'closed: python3')],
];

/** @type {readonly (readonly ToolCall[])[]} */
export const turns = calls.map((turn, at) =>
  turn.map((one, nth) => ({ ...one, id: `call_${at}_${nth}` })),
);

export const question = 'Add up 0 to 100 in Python, and do not let the deployment go on.';
export const conclusion = 'The sum is 5050, and nothing was deployed.';

/**
 * Throws where a result is not what the script says it must be.
 * @type {(asked: ToolCall, told: {id: string, text: string, failed: boolean}) => void}
 */
export const check = ({ id, name, answer, fails = false }, told) => {
  if (told.id !== id) throw new Error(`${name}: the answer to ${id} came as ${told.id}.`);
  if (!told.text.includes(answer)) throw new Error(`${name}: no ${answer} in ${told.text}`);
  if (told.failed !== fails) throw new Error(`${name}: failed is ${told.failed}, not ${fails}.`);
};
