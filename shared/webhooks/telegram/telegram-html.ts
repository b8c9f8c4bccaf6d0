import { lexer, type Token, type Tokens } from "marked";
import { escapeHtml } from "./escape-html.ts";

/** How the pieces of a text are written: as HTML that Telegram takes, or without any mark. */
type Pen = {
  readonly text: (text: string) => string;
  readonly wrap: (tag: string, inner: string) => string;
  readonly code: (text: string) => string;
  readonly block: (text: string, language: string) => string;
  readonly link: (inner: string, href: string) => string;
};

const html: Pen = {
  text: (text) => escapeHtml(text).replace(/\|\|(?=\S)(.+?)(?<=\S)\|\|/g, "<tg-spoiler>$1</tg-spoiler>"),
  wrap: (tag, inner) => (inner.trim() === "" ? inner : `<${tag}>${inner}</${tag}>`),
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  block: (text, language) =>
    language === ""
      ? `<pre>${escapeHtml(text)}</pre>`
      : `<pre><code class="language-${escapeHtml(language).replaceAll('"', "&quot;")}">${escapeHtml(text)}</code></pre>`,
  link: (inner, href) => `<a href="${escapeHtml(href).replaceAll('"', "&quot;")}">${inner}</a>`,
};

const plain: Pen = {
  text: (text) => text,
  wrap: (_tag, inner) => inner,
  code: (text) => text,
  block: (text) => text,
  link: (inner, href) => (inner === href ? inner : `${inner} (${href})`),
};

/**
 * Markdown as HTML that Telegram takes. It is made from what a reader of Markdown understood, so every tag is closed
 * in its order, whatever the text looks like.
 *
 * @source contract, chat-webhooks section 9, "format"
 */
export const telegramHtml = (markdown: string): string => written(markdown, html);

/** The same without any mark, for when Telegram does not take the other. */
export const telegramPlain = (markdown: string): string => written(markdown, plain);

function written(markdown: string, pen: Pen): string {
  // Marks of sources mean nothing to who reads them here.
  const clean = markdown.replace(/【[^】\n]*】/g, "");
  return blocks(lexer(clean), pen, "\n\n").trim();
}

const blocks = (tokens: readonly Token[], pen: Pen, between: string): string =>
  tokens
    .filter(({ type }) => type !== "space" && type !== "def")
    .map((token) => block(token, pen))
    .join(between);

function block(token: Token, pen: Pen): string {
  switch (token.type) {
    case "heading":
      return pen.wrap("b", inline(token, pen));
    case "code":
      return pen.block(token.text, token.lang ?? "");
    case "blockquote":
      return pen.wrap("blockquote", blocks(token.tokens ?? [], pen, "\n"));
    case "list":
      return list(token as Tokens.List, pen); // by its type
    case "table":
      return table(token as Tokens.Table, pen); // by its type
    case "hr":
      return "———";
    default:
      return inline(token, pen);
  }
}

const list = ({ items, ordered, start }: Tokens.List, pen: Pen): string =>
  items
    .map((item, i) => {
      const mark = ordered ? `${Number(start || 1) + i}.` : "•";
      return `${mark} ${blocks(item.tokens, pen, "\n").replaceAll("\n", "\n  ")}`;
    })
    .join("\n");

function table({ header, rows }: Tokens.Table, pen: Pen): string {
  const line = (cells: readonly Tokens.TableCell[]) =>
    cells.map(({ tokens }) => inlines(tokens, plain)).join(" | ");
  return pen.block([line(header), ...rows.map(line)].join("\n"), "");
}

const inlines = (tokens: readonly Token[], pen: Pen): string =>
  tokens.map((token) => inline(token, pen)).join("");

const tagOf: Readonly<Record<string, string>> = { strong: "b", em: "i", del: "s" };

function inline(token: Token, pen: Pen): string {
  const inner = "tokens" in token && token.tokens ? inlines(token.tokens, pen) : undefined;
  const tag = tagOf[token.type];
  if (tag !== undefined) return pen.wrap(tag, inner ?? "");
  switch (token.type) {
    case "codespan":
      return pen.code(token.text);
    case "br":
      return "\n";
    case "link":
      return pen.link(inner ?? pen.text(token.text), token.href);
    case "image":
      return pen.link(pen.text(token.text || token.href), token.href);
    default:
      return inner ?? pen.text("text" in token ? token.text : token.raw);
  }
}
