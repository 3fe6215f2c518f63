/** Keeps the beginning, as many characters as fit; the rest is gone. */

const CHARACTERS_PER_TOKEN = 4;

export const truncateTail = (
  text: string,
  maxTokens: number,
): { output: string; truncated: boolean } => {
  const most = maxTokens * CHARACTERS_PER_TOKEN;
  if (text.length <= most) return { output: text, truncated: false };
  // A character outside of the basic plane is one, though JavaScript counts two.
  const characters = [...text];
  if (characters.length <= most) return { output: text, truncated: false };
  const kept = characters.slice(0, most).join('');
  return { output: `${kept}\n[Output truncated]`, truncated: true };
};
