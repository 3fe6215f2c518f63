/**
 * Characters that no terminal draws. A person does not see them, but a model reads them: whole sentences
 * are written in tags (U+E0041), variation selectors or zero-width characters, and an override of the
 * direction makes a text look like another one.
 *
 * Those stay that change how the character before them is drawn: joiners in scripts that join and in
 * emoji, one variation selector where there are variations, the tags of a region's flag. What is left
 * could still hide a few bits beside each visible character, but no text.
 */

/** Terminals draw the soft hyphen, and the fillers of Hangul are as wide as a letter. */
const INVISIBLE = '(?![\\u00ad\\u3164\\uffa0])[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';

/** No character before this one is invisible. */
export const FIRST_INVISIBLE = 0x34f;

/** Scripts in which a joiner chooses the form of the letters beside it. */
const joiningScripts = [
  'Adlam Arabic Balinese Bengali Brahmi Chakma Cham Devanagari Grantha Gujarati Gurmukhi',
  'Hanifi_Rohingya Javanese Kaithi Kannada Khmer Lepcha Limbu Malayalam Mandaic Manichaean',
  'Meetei_Mayek Modi Mongolian Myanmar Newa Nko Oriya Phags_Pa Psalter_Pahlavi Saurashtra Sharada',
  'Sinhala Sogdian Sundanese Syriac Tai_Tham Takri Tamil Telugu Tibetan Tirhuta',
].flatMap((names) => names.split(' '));

const joining = joiningScripts.map((name) => `\\p{Script_Extensions=${name}}`).join('');

/** A mark that is seen on its letter. A variation selector is a mark too. */
const MARK = '(?!\\p{Default_Ignorable_Code_Point})\\p{M}';

/**
 * What is seen and takes a place of its own. Any number of marks can stand in one place, so a sign that
 * stays belongs to a base: then a text of signs would need as long a text that is seen.
 */
const BASE = '(?![\\p{Default_Ignorable_Code_Point}\\p{M}\\s])';

/** More than a letter has in any script: a nukta, a vowel and a virama. */
const MARKS = `(?:${MARK}){0,4}`;

const inTags = (letters: string): string =>
  [...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

/** The only ones that fonts have: https://unicode.org/Public/emoji/latest/emoji-sequences.txt */
const REGIONS = ['gbeng', 'gbsct', 'gbwls'].map(inTags).join('|');

/** The sign comes first, since most characters are none, and to look back takes long. */
const after = (before: string, sign: string): string => `${sign}(?<=${before}${sign})`;

const STAYING = [
  after('\\p{Emoji}\\p{Emoji_Modifier}?', '[\\ufe0e\\ufe0f]'),
  `${after('[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?', '\\u200d')}(?=\\p{Extended_Pictographic})`,
  // A black flag, a region, and the end of the tags.
  after('\\u{1f3f4}', `(?:${REGIONS})\\u{e007f}`),
  after(`${BASE}[${joining}]${MARKS}`, '[\\u200c\\u200d]'),
  after('\\p{Script=Han}', '[\\ufe00-\\ufe02\\u{e0100}-\\u{e010f}]'),
  // A letter has a form, and may be kept apart from the vowel after it.
  after(`${BASE}\\p{Script=Mongolian}`, '[\\u180b-\\u180f]'),
  after(`${BASE}\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]`, '\\u180e'),
  after(
    `${BASE}[0\\p{Sm}\\u3001-\\u303f\\uff01-\\uff60\\p{Script=Myanmar}\\p{Script=Phags_Pa}]`,
    '[\\ufe00\\ufe01]',
  ),
  // Keeps the marks of a letter in their order.
  `${after(`${BASE}\\p{L}${MARK}${MARKS}`, '\\u034f')}(?=${MARK})`,
  // Syllables of Hangul without their first or second letter.
  '\\u115f(?=[\\u1161-\\u11a7])',
  after('[\\u1100-\\u115e]', '\\u1160'),
].join('|');

const anyInvisible = new RegExp(INVISIBLE, 'u');
// Created at the first use, because creating it takes 3 ms.
let eachInvisible: RegExp | undefined;

export const hasInvisible = (text: string): boolean => anyInvisible.test(text);

export interface VisibleText {
  text: string;
  /** How many characters were left out. */
  hidden: number;
}

/** As a screen shows it. */
export const withoutInvisible = (text: string): string =>
  hasInvisible(text) ? leaveOutInvisible(text).text : text;

export const leaveOutInvisible = (text: string): VisibleText => {
  eachInvisible ??= new RegExp(`${STAYING}|(${INVISIBLE})`, 'gu');
  let hidden = 0;
  const visible = text.replaceAll(eachInvisible, (found, isHidden?: string) => {
    if (isHidden === undefined) return found;
    hidden++;
    return '';
  });
  return { text: visible, hidden };
};
