import { markdownChunks } from "../markdown-chunks.ts";
import { type Renderer, renderMarkdown } from "../render-markdown.ts";

/** `&`, `<` and `>` begin Slack's own marks; escaped, a text can name neither a user nor a whole channel. */
export const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A link in Slack's format. @param label  escaped */
export const slackLink = (href: string, label: string): string =>
  `<${escapeSlack(href).replaceAll("|", "%7C")}|${label}>`;

/** Slack's marks end with the line. */
const marked = (inner: string, mark: string): string =>
  inner.replace(/^([ \t]*)(\S.*?)([ \t]*)$/gm, `$1${mark}$2${mark}$3`);

const wraps: Readonly<Record<string, (inner: string) => string>> = {
  b: (inner) => marked(inner.replaceAll("*", ""), "*"),
  i: (inner) => marked(inner, "_"),
  s: (inner) => marked(inner, "~"),
  blockquote: (inner) => inner.replace(/^/gm, "> "),
};

const mrkdwn: Renderer = {
  text: escapeSlack,
  wrap: (tag, inner) => (inner.trim() === "" ? inner : (wraps[tag]?.(inner) ?? inner)),
  code: (text) => `\`${escapeSlack(text).replaceAll("`", "'")}\``,
  block: (text) => `\`\`\`\n${escapeSlack(text).replaceAll("```", "'''")}\n\`\`\``,
  // Anything else between the angles is a mark: `<!channel>` notifies everybody.
  link: (inner, href) =>
    /^(https?:\/\/|mailto:)/i.test(href)
      ? slackLink(href, inner.replaceAll("|", "¦").replaceAll("\n", " "))
      : `${inner} (${escapeSlack(href)})`,
};

/**
 * Markdown in Slack's format.
 *
 * @source Slack, "Formatting text for app surfaces"
 */
export const slackText = (markdown: string): string => renderMarkdown(markdown, mrkdwn);

/** Characters of a text that `chat.update` accepts; a longer message could not grow by edits. */
export const MESSAGE_LIMIT = 4_000;
const SLICE = 3_500;

/** Cuts Markdown into chunks, one for each message. */
export const slackChunks = (markdown: string): string[] =>
  markdownChunks(markdown, { render: slackText, most: MESSAGE_LIMIT, slice: SLICE });

/** Characters of a block. @source Slack, "Text object" */
const BLOCK_LIMIT = 3_000;

/** The same for messages that are one block. */
export const slackBlockChunks = (markdown: string): string[] =>
  markdownChunks(markdown, { render: slackText, most: BLOCK_LIMIT, slice: BLOCK_LIMIT - 400 });
