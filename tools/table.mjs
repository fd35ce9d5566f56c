const cut = (text, width) => (text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width));

/**
 * Lines of a table whose columns are as wide as their content, up to a column's own limit.
 *
 * @param {{ title: string, maxWidth?: number, right?: boolean }[]} columns
 * @param {string[][]} rows
 */
export function tableLines(columns, rows) {
  const widths = columns.map(({ title, maxWidth = 60 }, index) =>
    Math.min(maxWidth, Math.max(title.length, ...rows.map((row) => row[index].length))),
  );
  const aligned = (cell, index) => (columns[index].right ? cell.padStart(widths[index]) : cut(cell, widths[index]));
  const line = (cells) => `  ${cells.map(aligned).join('  ')}`.trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    `  ${widths.map((width) => '─'.repeat(width)).join('  ')}`,
    ...rows.map(line),
  ];
}
