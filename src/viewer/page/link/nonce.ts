/**
 * Puts the page's nonce on style elements that scripts make: the terminal keeps its colours in some, and
 * the page's policy refuses others.
 */
export const signStyleElements = (): void => {
  const nonce = document.querySelector('script')?.nonce;
  if (!nonce) return;
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
};
