/** Of one character, for each pixel of the size of its font. */
export function cellWidth(beside: HTMLElement): number {
  const probe = document.createElement('span');
  probe.className = 'probe';
  probe.textContent = '0'.repeat(100);
  beside.append(probe);
  const width = probe.getBoundingClientRect().width / 100 / 100;
  probe.remove();
  return width || 0.6;
}
