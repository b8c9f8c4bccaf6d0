import { htmlText } from "./html-text.ts";
import type { Reading, ReadPart } from "./reader.ts";

/** Messages within messages that are looked into. */
const MAX_NESTED_PARTS = 30;

/**
 * A mail: its text under its subject, sender, receivers and date, then its attachments. Pictures that its text shows are
 * left out.
 *
 * @source RFC 5322, RFC 2045 to 2047
 */
export async function readEml(bytes: Uint8Array, { inner }: Pick<Reading, "inner">): Promise<ReadPart[]> {
  const { default: PostalMime } = await import("postal-mime");
  const options = { attachmentEncoding: "arraybuffer", maxNestingDepth: MAX_NESTED_PARTS } as const;
  const { subject, from, to, date, text, html, attachments } = await PostalMime.parse(bytes, options);
  const body = text?.trim() ? text : html ? (await htmlText(html)).text : "";
  const about = {
    ...(subject && { subject }),
    ...(from && { from: shownAddress(from) }),
    ...(date && { date }),
  };
  const receivers = (to ?? []).map(shownAddress).filter(Boolean).join(", ");
  const head = [
    subject && `Subject: ${subject}`,
    from && `From: ${shownAddress(from)}`,
    receivers && `To: ${receivers}`,
    date && `Date: ${date}`,
  ].filter(Boolean);
  const parts: ReadPart[] = [{ text: `${head.join("\n")}\n\n${body.trim()}`.trim(), about }];
  for (const { filename, mimeType, disposition, related, content } of attachments) {
    if ((related || disposition === "inline") && mimeType.startsWith("image/")) continue;
    const named = filename ?? "attachment";
    const file = { filename: named, mime_type: mimeType, bytes: bytesOf(content) };
    const inside = await inner(file);
    parts.push(
      ...inside.map(({ about: own, ...part }) => ({
        ...part,
        about: { ...about, attachment: named, ...own },
      })),
    );
  }
  return parts;
}

type Address = { readonly name: string; readonly address?: string | undefined; readonly group?: unknown };

const shownAddress = ({ name, address }: Address): string =>
  address === undefined || address === "" ? name : name === "" ? address : `${name} <${address}>`;

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array =>
  typeof content === "string" ? new Uint8Array(Buffer.from(content)) : new Uint8Array(content);
