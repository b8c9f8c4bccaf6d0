import { fileTreatment, takesAddress, typeOfMedium } from "../../domain/runs/file-treatment.ts";
import { listMedia } from "../../domain/runs/output-media.ts";
import { ContentFault, type Passage, type ReadFile } from "../../knowledge/index.ts";
import type { Media, MediaKind } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import { type ProviderName, providerLabels } from "../../schemas/values/model-spec.ts";
import { fileText } from "./file-text.ts";

/** Of the text of one file; about 50,000 tokens. */
export const MAX_FILE_CHARS = 200_000;

/** How many files' texts are kept for the next calls of their runs. */
const KEPT = 50;
const kept = new Map<string, string>();

export const providerOf = (label: string): ProviderName | undefined =>
  // The labels are the values of a constant table, and so are its keys.
  (Object.keys(providerLabels) as ProviderName[]).find((name) => providerLabels[name] === label);

/**
 * The conversation as a model can read it: a user's files that its service does not take are text, of those that a reader
 * reads with a note that they were converted, and the marks of their pages.
 *
 * @param messages  with the contents of their media
 * @param readFile  reads documents in a process of its own; without it they are only named
 */
export async function withFilesAsText(
  messages: readonly Message[],
  model: { readonly provider: string },
  readFile: ReadFile | undefined,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const provider = providerOf(model.provider);
  return Promise.all(
    messages.map(async (message) => {
      if (message.role !== "user") return message;
      const { images, videos, audio, files, ...rest } = message;
      const media = listMedia({ images, videos, audio, files });
      const others = media.filter((one) => !isNative(provider, one));
      if (others.length === 0) return message;
      const texts = await Promise.all(others.map((one) => textOf(provider, one, readFile, signal)));
      const shown = (list: readonly Media[] | undefined) =>
        list?.filter((medium) => !others.some(([, other]) => other === medium));
      return {
        ...rest,
        content: [message.content ?? "", ...texts].join("\n\n"),
        ...(images && { images: shown(images) }),
        ...(videos && { videos: shown(videos) }),
        ...(audio && { audio: shown(audio) }),
        ...(files && { files: shown(files) }),
      };
    }),
  );
}

type Listed = readonly [MediaKind, Media];

function isNative(provider: ProviderName | undefined, [kind, medium]: Listed): boolean {
  const type = typeOfMedium(kind, medium);
  const isReachable = medium.url === undefined || takesAddress(provider, type);
  return isReachable && fileTreatment(provider, type) === "native";
}

async function textOf(
  provider: ProviderName | undefined,
  [kind, medium]: Listed,
  readFile: ReadFile | undefined,
  signal: AbortSignal,
): Promise<string> {
  const type = typeOfMedium(kind, medium);
  const name = medium.filename ?? medium.url ?? type;
  const treatment = fileTreatment(provider, type);
  if (medium.content === undefined || treatment === "refused")
    return `[${name}: a file of the type ${type}, which this model is not shown]`;
  if (treatment === "text") {
    const isRead = type.startsWith("text/");
    const text = isRead ? medium.content : await fileText(Buffer.from(medium.content, "base64"));
    return framed(`${name}`, text);
  }
  if (!readFile) return `[${name}: a file that could not be converted to text here]`;
  const { object, content } = medium;
  const read = () => converted(name, type, content, readFile, signal);
  // Equal bytes are one object, but the text shows the name that this user gave them.
  return object ? keptText(`${object.key} ${name}`, read) : read();
}

/** Only a text that was read to its end is kept: a stopped run says nothing about the file. */
async function keptText(key: string, read: () => Promise<string>): Promise<string> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const text = await read();
  kept.set(key, text);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return text;
}

async function converted(
  name: string,
  type: string,
  content: string,
  readFile: ReadFile,
  signal: AbortSignal,
): Promise<string> {
  const { pickReader } = await import("../../knowledge/reading.ts");
  const bytes = type.startsWith("text/") ? Buffer.from(content) : Buffer.from(content, "base64");
  try {
    const reader = pickReader({ filename: name, mime_type: type, head: bytes });
    const passages: Passage[] = [];
    const skipped: string[] = [];
    for await (const batch of readFile(reader, { bytes: bytes.length, blocks: once(bytes) }, signal)) {
      passages.push(...batch.parts);
      skipped.push(...batch.skipped);
    }
    const left = skipped.length === 0 ? "" : `\n[left out: ${skipped.join("; ")}]`;
    return framed(`${name}, converted to text`, `${marked(passages)}${left}`);
  } catch (error) {
    if (error instanceof ContentFault) return `[${name} could not be converted to text: ${error.message}]`;
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes;
  return undefined;
}

/** Passages under marks of where they stand, such as `[page 3]`; one mark for those that stand in the same place. */
function marked(passages: readonly Passage[]): string {
  let last = "";
  return passages
    .flatMap(({ text, about }) => {
      const mark = Object.entries(about)
        .map(([what, where]) => `${what} ${where}`)
        .join(", ");
      const isNew = mark !== "" && mark !== last;
      last = mark;
      return isNew ? [`[${mark}]`, text] : [text];
    })
    .join("\n");
}

function framed(title: string, text: string): string {
  const rest = text.length - MAX_FILE_CHARS;
  const cut =
    rest > 0 ? `${text.slice(0, MAX_FILE_CHARS)}\n[the other ${rest} characters are left out]` : text;
  return `[file: ${title}]\n${cut}\n[end of ${title}]`;
}
