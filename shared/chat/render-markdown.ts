import { lexer, type Token, type Tokens } from "marked";

/** Renders the parts of a text in the format of a chat platform. `wrap` gets the names of HTML tags. */
export type Renderer = {
  readonly text: (text: string) => string;
  readonly wrap: (tag: string, inner: string) => string;
  readonly code: (text: string) => string;
  readonly block: (text: string, language: string) => string;
  readonly link: (inner: string, href: string) => string;
};

/** Renders a text without formatting. */
export const plain: Renderer = {
  text: (text) => text,
  wrap: (_tag, inner) => inner,
  code: (text) => text,
  block: (text) => text,
  link: (inner, href) => (inner === href ? inner : `${inner} (${href})`),
};

/**
 * Renders Markdown from its parsed form, so every mark is closed in its order, whatever the text looks like.
 */
export function renderMarkdown(markdown: string, renderer: Renderer): string {
  // Citation marks mean nothing to readers in a chat.
  const clean = markdown.replace(/【[^】\n]*】/g, "");
  return blocks(lexer(clean), renderer, "\n\n").trim();
}

const blocks = (tokens: readonly Token[], renderer: Renderer, between: string): string =>
  tokens
    .filter(({ type }) => type !== "space" && type !== "def")
    .map((token) => block(token, renderer))
    .join(between);

function block(token: Token, renderer: Renderer): string {
  switch (token.type) {
    case "heading":
      return renderer.wrap("b", inline(token, renderer));
    case "code":
      return renderer.block(token.text, token.lang ?? "");
    case "blockquote":
      return renderer.wrap("blockquote", blocks(token.tokens ?? [], renderer, "\n"));
    case "list":
      return list(token as Tokens.List, renderer); // by its type
    case "table":
      return table(token as Tokens.Table, renderer); // by its type
    case "hr":
      return "———";
    default:
      return inline(token, renderer);
  }
}

const list = ({ items, ordered, start }: Tokens.List, renderer: Renderer): string =>
  items
    .map((item, i) => {
      const mark = ordered ? `${Number(start || 1) + i}.` : "•";
      return `${mark} ${blocks(item.tokens, renderer, "\n").replaceAll("\n", "\n  ")}`;
    })
    .join("\n");

function table({ header, rows }: Tokens.Table, renderer: Renderer): string {
  const line = (cells: readonly Tokens.TableCell[]) =>
    cells.map(({ tokens }) => inlines(tokens, plain)).join(" | ");
  return renderer.block([line(header), ...rows.map(line)].join("\n"), "");
}

const inlines = (tokens: readonly Token[], renderer: Renderer): string =>
  tokens.map((token) => inline(token, renderer)).join("");

const tagOf: Readonly<Record<string, string>> = { strong: "b", em: "i", del: "s" };

function inline(token: Token, renderer: Renderer): string {
  const inner = "tokens" in token && token.tokens ? inlines(token.tokens, renderer) : undefined;
  const tag = tagOf[token.type];
  if (tag !== undefined) return renderer.wrap(tag, inner ?? "");
  switch (token.type) {
    case "codespan":
      return renderer.code(token.text);
    case "br":
      return "\n";
    case "link":
      return renderer.link(inner ?? renderer.text(token.text), token.href);
    case "image":
      return renderer.link(renderer.text(token.text || token.href), token.href);
    default:
      return inner ?? renderer.text("text" in token ? token.text : token.raw);
  }
}
