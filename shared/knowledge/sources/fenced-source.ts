import type { SourceReader } from "./source.ts";
import { SourceFault } from "./source-fault.ts";

/**
 * A source of which nothing can be read or listed outside of its prefix, whatever a request or an older record names.
 *
 * @throws SourceFault `unsupported`, before the source is asked
 */
export function fencedSource({ read, pages }: SourceReader, prefix: string): SourceReader {
  return {
    read: async (key) => {
      requireWithin(prefix, key);
      return read(key);
    },
    async *pages(query) {
      requireWithin(prefix, query.prefix);
      for await (const { folders, files, more } of pages(query)) {
        yield {
          folders: folders.filter((folder) => folder.startsWith(prefix)),
          files: files.filter(({ key }) => key.startsWith(prefix)),
          more,
        };
      }
    },
  };
}

/**
 * Refuses what is not below a source's prefix, and every path that could lead out of it.
 *
 * @throws SourceFault `unsupported`; its text is public
 */
export function requireWithin(prefix: string, path: string): void {
  if (leadsElsewhere(path))
    throw new SourceFault("unsupported", "A path must not have parts that are . or .., in any encoding.");
  if (!path.startsWith(prefix))
    throw new SourceFault("unsupported", `This source is read below ${prefix}; the path must begin with it.`);
}

/** Encodings within encodings that are looked through; a path with more of them is refused. */
const MAX_ENCODINGS = 3;

/** Whether a part of the path is `.` or `..`, also where a server or a proxy would decode it first. */
export function leadsElsewhere(path: string): boolean {
  let text = path;
  for (let depth = 0; depth <= MAX_ENCODINGS; depth += 1) {
    if (hasControl(text) || text.split(/[/\\]/).some((part) => part === "." || part === "..")) return true;
    const decoded = decodedOnce(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

const hasControl = (text: string): boolean => [...text].some((char) => char < " ");

/** Decodes what is an encoding; a percent sign that is none stays. */
const decodedOnce = (text: string): string =>
  text.replace(/(%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Not UTF-8, such as the overlong forms of a dot and a slash, which old servers decode.
      return encoded.replaceAll(/%(?:2e|c0%ae)/gi, ".").replaceAll(/%(2f|5c|c0%af)/gi, "/");
    }
  });
