// Turns what a terminal shows, with its escape sequences for colours, into an SVG.
const cell = { width: 8.4, height: 18 };
const margin = 14;
const colours = { 31: '#f47067', 32: '#8ddb8c', 33: '#f0c674', 34: '#6cb6ff', 35: '#dcbdfb', 36: '#76e3ea' };
const ink = '#e6edf3';

export function svgOf(title, screen, columns) {
  const rows = screen.replace(/\s+$/, '').split('\n');
  const width = columns * cell.width + 2 * margin;
  const height = rows.length * cell.height + 2 * margin;
  const lines = rows.map((row, at) => line(row, margin + (at + 0.75) * cell.height)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${ink}" xml:space="preserve">
${lines}</g>
</svg>
`;
}

/** Each run of one style stands at its column, so that a font of another width leaves the columns where they are. */
function line(row, y) {
  let column = 0;
  const runs = runsOf(row).map(({ text, style }) => {
    const x = margin + column * cell.width;
    column += [...text].length;
    const behind = style.reverse ? backgroundAt(x, y, text) : '';
    return text.trim() === '' ? behind : behind + textAt(x, y, text, style);
  });
  return runs.length > 0 ? `${runs.join('')}\n` : '';
}

/** The row under the cursor. */
function backgroundAt(x, y, text) {
  const width = ([...text].length * cell.width).toFixed(1);
  return `<rect x="${x.toFixed(1)}" y="${(y - 0.75 * cell.height).toFixed(1)}" width="${width}" height="${cell.height}" fill="#30363d"/>`;
}

function textAt(x, y, text, { bold, dim, colour }) {
  const shown = text.replace(/\s+$/, '');
  const indent = shown.length - shown.trimStart().length;
  const at = (x + indent * cell.width).toFixed(1);
  const length = ([...shown.trimStart()].length * cell.width).toFixed(1);
  const style = [
    bold ? ' font-weight="bold"' : '',
    dim ? ' opacity="0.6"' : '',
    colour ? ` fill="${colour}"` : '',
  ].join('');
  return `<text x="${at}" y="${y.toFixed(1)}" textLength="${length}"${style}>${escaped(shown.trimStart())}</text>`;
}

function runsOf(row) {
  const runs = [];
  let style = {};
  // The odd parts are the numbers of an escape sequence.
  row.split(/\u001b\[([\d;]*)m/).forEach((part, at) => {
    if (at % 2 === 1) style = part.split(';').map(Number).reduce(styled, style);
    else for (const text of part.split(/(?<= {2})(?=\S)/)) if (text) runs.push({ text, style });
  });
  return runs;
}

function styled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 7) return { ...style, reverse: true };
  if (code === 27) return { ...style, reverse: false };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  return code in colours ? { ...style, colour: colours[code] } : style;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
