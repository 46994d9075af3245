/** Saves findings as a file. They exist only in the page, because the service doesn't store them. */
export function saveAttention(name: string, lines: readonly (readonly string[])[]): void {
  const text = `\u{FEFF}${lines.map((cells) => cells.map(quoted).join()).join('\r\n')}\r\n`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${name} attention.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A cell of a CSV file (RFC 4180). Spreadsheets must not run a formula from someone's file. */
const quoted = (text: string) => `"${text.replace(/^[=+\-@\t\r\n]/, "'$&").replaceAll('"', '""')}"`;
