import { markdownChunks } from "../markdown-chunks.ts";
import { plain, type Renderer, renderMarkdown } from "../render-markdown.ts";

const html: Renderer = {
  text: (text) => escapeHtml(text).replace(/\|\|(?=\S)(.+?)(?<=\S)\|\|/g, "<tg-spoiler>$1</tg-spoiler>"),
  wrap: (tag, inner) => (inner.trim() === "" ? inner : `<${tag}>${inner}</${tag}>`),
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  block: (text, language) =>
    language === ""
      ? `<pre>${escapeHtml(text)}</pre>`
      : `<pre><code class="language-${escapeHtml(language).replaceAll('"', "&quot;")}">${escapeHtml(text)}</code></pre>`,
  link: (inner, href) => `<a href="${escapeHtml(href).replaceAll('"', "&quot;")}">${inner}</a>`,
};

/**
 * Markdown as HTML that Telegram accepts. It is rendered from parsed Markdown, so every tag is closed in its order,
 * whatever the text looks like.
 *
 * @source docs/interface/chat.md 5.1
 */
export const telegramHtml = (markdown: string): string => renderMarkdown(markdown, html);

/** The same without formatting, for when Telegram refuses the HTML. */
export const telegramPlain = (markdown: string): string => renderMarkdown(markdown, plain);

const SLICE = 4000;
/** Telegram's limit of a message, without tags; counted here with them, so that it is never exceeded. */
export const MESSAGE_LIMIT = 4096;

/** Cuts Markdown into chunks, one for each message. @source docs/interface/chat.md 5.2 */
export const telegramChunks = (markdown: string): string[] =>
  markdownChunks(markdown, { render: telegramHtml, most: MESSAGE_LIMIT, slice: SLICE });

/** Escapes the three characters with a meaning in Telegram's HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
