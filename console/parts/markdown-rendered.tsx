import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useLayoutEffect, useRef } from "react";

const marked = new Marked({ gfm: true, breaks: true });

const ALLOWED = {
  ALLOWED_TAGS: [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "input",
    "li",
    "ol",
    "p",
    "pre",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
  ],
  ALLOWED_ATTR: ["href", "title", "src", "alt", "start", "align", "type", "checked", "disabled"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/|#|blob:)/i,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

const purify = DOMPurify();
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    node.setAttribute("target", "_blank");
  }
  // A picture from elsewhere would tell its server who reads this.
  if (node.tagName === "IMG" && !isOwn(node.getAttribute("src") ?? "")) node.remove();
});

const isOwn = (address: string): boolean => {
  try {
    return new URL(address, location.href).origin === location.origin;
  } catch {
    return false;
  }
};

export default function MarkdownRendered({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const html = marked.parse(text, { async: false });
    place.current?.replaceChildren(purify.sanitize(html, ALLOWED));
  }, [text]);
  return <div ref={place} className="markdown" />;
}
