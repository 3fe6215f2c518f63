/** Cuts off the end of output that has too many characters. */

const CHARACTERS_PER_TOKEN = 4;

export const cutToTokenBudget = (
  text: string,
  maxTokens: number,
): { output: string; truncated: boolean } => {
  const maxCharacters = maxTokens * CHARACTERS_PER_TOKEN;
  if (text.length <= maxCharacters) return { output: text, truncated: false };
  // A character outside the basic plane counts once, though JavaScript's length counts it twice.
  const characters = [...text];
  if (characters.length <= maxCharacters) return { output: text, truncated: false };
  const kept = characters.slice(0, maxCharacters).join('');
  return { output: `${kept}\n[Output truncated]`, truncated: true };
};
