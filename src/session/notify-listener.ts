/** Those who listen are the user's own code, and may throw. */

/**
 * What it throws is its own mistake: neither the program's output nor other listeners shall suffer
 * from it. It is thrown again where nobody catches it.
 */
export const notifyListener = <Event>(listener: (event: Event) => void, event: Event): void => {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
};
