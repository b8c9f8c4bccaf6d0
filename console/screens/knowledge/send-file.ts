import { platform } from "../../api/platform.ts";
import { type Base, queryOf } from "./base.ts";

/** Above this a request carries no file: the form around it takes a little of the 4.7 MB. */
const MOST_IN_REQUEST = 4_500_000;

type Sending = {
  /** Told which part of the bytes has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Adds a file to a base: a small one in the request, a large one by way of the bucket.
 *
 * @throws PlatformError when the platform refuses it; Error when the bucket does, or cannot be reached
 */
export async function sendFile(base: Base, file: File, { onProgress, signal }: Sending): Promise<void> {
  const query = queryOf(base);
  if (file.size <= MOST_IN_REQUEST) {
    await platform.addContent({ query, body: { file } }, { signal });
    return;
  }
  const body = { filename: file.name, mime_type: file.type || "application/octet-stream", size: file.size };
  const { upload_id, url, headers } = await platform.createUploadUrl({ query, body }, { signal });
  await put(url, headers, file, { onProgress, signal });
  await platform.addContent({ query, body: { upload_id } }, { signal });
}

/** `fetch` does not tell how much of a body was sent. */
function put(
  url: string,
  headers: Readonly<Record<string, string>>,
  file: File,
  { onProgress, signal }: Sending,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new Error(`The bucket refused the file (${request.status}). Try it again.`));
    request.onerror = () => reject(new Error("The bucket cannot be reached. Try it again."));
    request.onabort = () => reject(new Error("Stopped."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
