/** Called with how many bytes of a file have been sent. It has arrived when both are alike and the upload's promise resolves. */
export type OnProgress = (progress: { readonly sent: number; readonly total: number }) => void;

/** A file did not arrive in the bucket. */
export class UploadError extends Error {
  override readonly name = "UploadError";
  /** Status of the bucket's answer; undefined where there was none. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

type Put = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: Blob;
  readonly onProgress: OnProgress | undefined;
  readonly signal: AbortSignal | undefined;
};

/** The part of `XMLHttpRequest` that is used here; runtimes other than browsers have none. */
type Uploader = {
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  readonly status: number;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
};

const uploader = (): (new () => Uploader) | undefined =>
  (globalThis as { readonly XMLHttpRequest?: new () => Uploader }).XMLHttpRequest;

/**
 * Sends a file to a signed address. Browsers and their workers report all the while how much was sent; elsewhere only the
 * start and the end are reported, because a bucket takes no body whose length is not known before, and `fetch` does not report.
 *
 * @throws UploadError when the bucket refuses it or cannot be reached; the signal's reason when it aborts
 */
export async function putFile(put: Put): Promise<void> {
  const { file, onProgress, signal } = put;
  signal?.throwIfAborted();
  const Request = uploader();
  onProgress?.({ sent: 0, total: file.size });
  const status = await (Request ? putByRequest(new Request(), put) : putByFetch(put)).catch((error) => {
    if (signal?.aborted) throw signal.reason;
    throw error;
  });
  if (status >= 300) throw new UploadError(`The bucket refused the file (${status}). Try it again.`, status);
  onProgress?.({ sent: file.size, total: file.size });
}

const unreached = () => new UploadError("The bucket cannot be reached. Try it again.");

function putByRequest(request: Uploader, { url, headers, file, onProgress, signal }: Put): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress?.({ sent: loaded, total: file.size });
    request.onload = () => resolve(request.status);
    request.onerror = () => reject(unreached());
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

const putByFetch = ({ url, headers, file, signal }: Put): Promise<number> =>
  fetch(url, { method: "PUT", headers, body: file, ...(signal && { signal }) }).then(
    async ({ status, body }) => {
      await body?.cancel();
      return status;
    },
    () => Promise.reject(unreached()),
  );
