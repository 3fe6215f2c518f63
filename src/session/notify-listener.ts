/** Calls a listener, which is the user's own code and may throw. */

/**
 * An error of the listener must not disturb the program's output or other listeners, so it is thrown
 * again in a microtask, where it becomes an uncaught exception.
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
