import { escapeHtml } from "../../shared/http/escape-html.ts";
import type { FeedbackKeys } from "../../shared/schemas/feedback/feedback-keys.ts";

/** The page sends its form to its own address and does nothing else; it is neither kept nor framed. */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

const style = `
:root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 10vh auto; padding: 0 1.25rem; }
form { display: grid; gap: 1rem; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; }
button, textarea, select { font: inherit; padding: .6rem .9rem; border: 1px solid GrayText; border-radius: .5rem; }
textarea { width: 100%; box-sizing: border-box; }
`;

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

export const thanksPage = pageOf("Thank you", "<p>What you said is recorded.</p>");

/** The form for a key: buttons for its scores or values, or a text. Nothing of the run is shown. */
export function formPage(key: string, keys: FeedbackKeys | undefined): string {
  const { question, fields } = formOf(key, keys);
  return pageOf(question, `<form method="post">\n${fields}\n</form>`);
}

function formOf(key: string, keys: FeedbackKeys | undefined) {
  const form = keys && Object.hasOwn(keys, key) ? keys[key] : undefined;
  const named = escapeHtml(key);
  if (key === "correction") {
    return { question: "What would have been right?", fields: text("correction", "Correction", true) + send };
  }
  if (key === "thumb") return { question: "Was this helpful?", fields: comment + yesOrNo };
  if (key === "rating") {
    return { question: "How good was this?", fields: comment + buttons("score", numbers(1, 5)) };
  }
  if (form?.type === "boolean") return { question: named, fields: comment + yesOrNo };
  if (form?.type === "category") {
    const values = (form.categories ?? []).map((value) => [value, value] as const);
    return { question: named, fields: comment + buttons("value", values) };
  }
  if (form?.type === "number") return { question: named, fields: number(form) + comment + send };
  return { question: named, fields: comment + send };
}

type Choice = readonly [value: string, shown: string];

const numbers = (from: number, to: number): Choice[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [String(from + i), String(from + i)] as const);

const buttons = (name: string, choices: readonly Choice[]): string =>
  `<div class="choices">${choices
    .map(
      ([value, shown]) => `<button name="${name}" value="${escapeHtml(value)}">${escapeHtml(shown)}</button>`,
    )
    .join("")}</div>`;

const text = (name: string, label: string, isRequired = false): string =>
  `<label>${label}<textarea name="${name}" rows="4" maxlength="2000"${isRequired ? " required" : ""}></textarea></label>`;

const number = ({ min, max }: FeedbackKeys[string]): string =>
  `<label>Score <input type="number" name="score" step="any" required${min === undefined ? "" : ` min="${min}"`}${
    max === undefined ? "" : ` max="${max}"`
  }></label>`;

const comment = text("comment", "Anything to add");
const send = "<button>Send</button>";
const yesOrNo = buttons("score", [
  ["1", "Yes"],
  ["0", "No"],
]);
