// What of a text can be typed. A terminal cannot carry control characters as text, and an agent's composer changes
// some of what it is given, so a text that would not come through unchanged is shown readably, and its exact bytes
// are in a file that the prompt names.

/** The text as it can be typed; equal to the text itself if nothing is lost. */
export function typeable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[\x00-\x08\x0b-\x1f]/g, (character) => String.fromCodePoint(0x2400 + character.charCodeAt(0)))
    .replaceAll('\x7f', '␡')
    .replace(/[\x80-\x9f]/g, '�')
    .toWellFormed();
}

/** What is said below a text that did not come through unchanged; `file` has its exact bytes. */
export const whereItIs = (file: string): string =>
  `[sm] Tabs, line ends or control characters of this message were changed for the terminal; its exact text is in ${file}`;
