/** A page of the documentation as Markdown, for language models and for those who keep it. */
import type { Links } from '../links.ts';
import type { Block, DocPage, Example } from './blocks.ts';
import { inlineMarkdown } from './inline.ts';

export function docMarkdown(page: DocPage, links: Links): string {
  const blocks = [
    `# ${page.title}`,
    page.description,
    ...page.sections.flatMap(({ title, blocks: own }) => [
      ...(title ? [`## ${title}`] : []),
      ...own.map((block) => blockMarkdown(block, links)),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function blockMarkdown(block: Block, links: Links): string {
  const inline = (markdown: string) => inlineMarkdown(markdown, links);
  switch (block.kind) {
    case 'text':
      return inline(block.text);
    case 'heading':
      return `### ${block.text}`;
    case 'list':
      return block.items
        .map((item, i) => `${block.ordered ? `${i + 1}.` : '-'} ${inline(item)}`)
        .join('\n');
    case 'cards':
      return block.cards
        .map(({ href, title, text }) => inline(`- [${title}](${href}): ${text}`))
        .join('\n');
    case 'table':
      return [block.head, block.head.map(() => '---'), ...block.rows]
        .map(
          (cells) =>
            `| ${cells.map((cell) => inline(cell).replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`,
        )
        .join('\n');
    case 'example':
      return exampleMarkdown(block);
  }
}

function exampleMarkdown({ language, code, answer }: Example): string {
  const shown = fenced(language, code);
  return answer ? `${shown}\n\nIt answers:\n\n${fenced(answer.language, answer.text)}` : shown;
}

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code.trim()}\n\`\`\``;
