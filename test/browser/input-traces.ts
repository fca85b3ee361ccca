// What phones and input methods do to a text field: the events in their order, and what the field holds after each. Nobody
// can press a phone's keyboard here. The traces are written after reports of people who have watched theirs, and after the
// standard (https://www.w3.org/TR/input-events-2):
//   GBoard: xterm.js #3600, #4447 and #5438, and what CodeMirror notes of it in its domobserver.ts: a key has the number 229
//     and no name, what is being composed is replaced with each letter, Enter and Backspace come in the middle of it, and a
//     word that was finished is composed once more when the cursor comes back to it (agent-of-empires #3751).
//   iOS: letters come without composing; a correction takes the word away and puts another there (insertReplacementText,
//     where some keyboards say deleteContentBackward and insertText); dictation brings whole words.
//   Input methods: the key that takes a word has the number 229, in Safari after the end of the composition.

export interface Step {
  readonly event: 'keydown' | 'compositionstart' | 'compositionupdate' | 'compositionend' | 'input';
  readonly key?: string;
  readonly keyCode?: number;
  readonly inputType?: string;
  /** Null, as on Android for many: what is inserted is seen in the field alone. */
  readonly data?: string | null;
  /** What the field holds afterwards. */
  readonly value?: string;
}

export interface Trace {
  readonly what: string;
  readonly steps: readonly Step[];
  /** What somebody who watches sees in the field, and means to send. */
  readonly text: string;
}

const unnamed: Step = { event: 'keydown', key: 'Unidentified', keyCode: 229 };
const process: Step = { event: 'keydown', key: 'Process', keyCode: 229 };

/** One after the other, each with all that was composed so far. `before`: what stood there already. */
const composed = (words: readonly string[], before = '', key = unnamed): Step[] => [
  { event: 'compositionstart', data: '' },
  ...words.flatMap((data): Step[] => [
    key,
    { event: 'compositionupdate', data },
    { event: 'input', inputType: 'insertCompositionText', data, value: before + data },
  ]),
];
const typed = (inputType: string, data: string | null, value: string): Step => ({
  event: 'input',
  inputType,
  data,
  value,
});
const end = (data: string): Step => ({ event: 'compositionend', data });

export const traces: readonly Trace[] = [
  {
    what: 'GBoard: letters are composed, a space ends the word',
    steps: [
      ...composed(['l', 'ls']),
      end('ls'),
      unnamed,
      typed('insertText', ' ', 'ls '),
      ...composed(['-', '-l'], 'ls '),
      end('-l'),
    ],
    text: 'ls -l',
  },
  {
    what: 'GBoard: a suggestion takes the place of what was composed',
    steps: [
      ...composed(['h', 'he', 'hel', 'helo', 'hello']),
      end('hello'),
      typed('insertText', ' ', 'hello '),
    ],
    text: 'hello ',
  },
  {
    what: 'GBoard: Backspace while composing',
    steps: [
      ...composed(['g', 'gi', 'git', 'gitt', 'git']),
      end('git'),
      unnamed,
      typed('deleteContentBackward', null, 'gi'),
      ...composed(['git'], ''),
      end('git'),
    ],
    text: 'git',
  },
  {
    what: 'GBoard: a finished word is composed once more',
    steps: [
      unnamed,
      typed('insertText', 'b', 'b'),
      unnamed,
      typed('insertText', 'y', 'by'),
      ...composed(['by', 'bye']),
      end('bye'),
    ],
    text: 'bye',
  },
  {
    what: 'GBoard: a swipe brings a whole word, with a space before the next one',
    steps: [...composed(['npm']), end('npm'), ...composed([' test'], 'npm'), end(' test')],
    text: 'npm test',
  },
  {
    what: 'a keyboard that composes nothing and says no data',
    steps: [
      unnamed,
      typed('insertText', null, 'o'),
      unnamed,
      typed('insertText', null, 'ok'),
      unnamed,
      typed('deleteContentBackward', null, 'o'),
      unnamed,
      typed('insertText', null, 'oh'),
    ],
    text: 'oh',
  },
  {
    what: 'Samsung: punctuation ends the composition and comes with it',
    steps: [...composed(['yes', 'yes,']), end('yes,'), typed('insertText', ' ', 'yes, ')],
    text: 'yes, ',
  },
  {
    what: 'iOS: a correction replaces the word',
    steps: [
      typed('insertText', 't', 't'),
      typed('insertText', 'e', 'te'),
      typed('insertText', 'h', 'teh'),
      typed('insertReplacementText', 'the', 'the'),
      typed('insertText', ' ', 'the '),
    ],
    text: 'the ',
  },
  {
    what: 'iOS: a prediction deletes the word and inserts another',
    steps: [
      typed('insertText', 'd', 'd'),
      typed('insertText', 'o', 'do'),
      typed('deleteContentBackward', null, ''),
      typed('insertText', 'docker ', 'docker '),
    ],
    text: 'docker ',
  },
  {
    what: 'iOS: dictation brings a guess, and then what was meant',
    steps: [
      typed('insertText', 'list', 'list'),
      typed('insertText', ' files', 'list files'),
      typed('deleteContentBackward', null, ''),
      typed('insertText', 'list the files', 'list the files'),
    ],
    text: 'list the files',
  },
  {
    what: 'iOS: two spaces become a full stop',
    steps: [
      typed('insertText', 'done', 'done'),
      typed('insertText', ' ', 'done '),
      typed('deleteContentBackward', null, 'done'),
      typed('insertText', '. ', 'done. '),
    ],
    text: 'done. ',
  },
  {
    what: 'Japanese: kana become kanji, Enter takes them',
    steps: [
      ...composed(['n', 'に', 'にほ', 'にほn', 'にほん', '日本'], '', process),
      { event: 'keydown', key: 'Enter', keyCode: 229 },
      end('日本'),
    ],
    text: '日本',
  },
  {
    what: 'Japanese in Safari: the Enter that takes them comes after the end',
    steps: [
      ...composed(['にほん', '日本'], '', process),
      end('日本'),
      { event: 'keydown', key: 'Enter', keyCode: 229 },
    ],
    text: '日本',
  },
  {
    what: 'Korean: the last letter of a syllable moves on to the next one',
    steps: [
      ...composed(['ㅇ', '아', '안'], '', process),
      end('안'),
      ...composed(['ㄴ', '녀', '녕'], '안', process),
      end('녕'),
    ],
    text: '안녕',
  },
  {
    what: 'Chinese: letters with marks between them become a word',
    steps: [...composed(['n', 'ni', "ni'h", "ni'hao", '你好'], '', process), end('你好')],
    text: '你好',
  },
  {
    what: 'a dead key waits for its letter',
    steps: [
      { event: 'keydown', key: 'Dead', keyCode: 229 },
      ...composed(['´'], 'caf', { event: 'keydown', key: 'Dead', keyCode: 229 }),
      { event: 'compositionupdate', data: 'é' },
      typed('insertCompositionText', 'é', 'café'),
      end('é'),
    ],
    text: 'café',
  },
];
