import { withoutInvisible } from './invisible-characters.ts';

/**
 * Text that a program has chosen (its name, a title, a folder), as it may be shown on one line: no escape
 * sequence, no line end, nothing that reorders or hides what follows, and not too long.
 */
export const plainText = (text: string, maxLength = MAX_LENGTH): string =>
  isPlain.test(text) && text.length <= maxLength
    ? text
    : withoutHalf(
        withoutInvisible(
          text.replaceAll(CONTROL, controlPicture).replaceAll(UNPRINTABLE, ''),
        ).slice(0, maxLength),
      );

const MAX_LENGTH = 1000;
const isPlain = /^[ -~]*$/;
const CONTROL = /[\x00-\x1f\x7f]/g;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;

/** Unicode has a picture for each control character: ␛ for ESC. */
export const controlPicture = (control: string): string =>
  control === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + control.charCodeAt(0));

/** A character may have been cut in half. */
const withoutHalf = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
