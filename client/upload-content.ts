import type { ClientOptions, ReadOptions } from "./client-options.ts";
import type { Content, Operations } from "./operations.ts";
import { type OnProgress, putFile, UploadError } from "./put-file.ts";
import { repeated, retriesOf, send } from "./send.ts";

type Query = NonNullable<Operations["addContent"]["input"]["query"]>;
type Form = NonNullable<Operations["addContent"]["input"]["body"]>;

export type UploadOptions = ReadOptions &
  /** Which base, where there are several. */
  Query &
  /** How it is called and processed. */
  Omit<Form, "file" | "text_content" | "url" | "upload_id"> & {
    /** Name of the file with its ending, by which the reader is chosen; a `File` has its own. */
    readonly filename?: string | undefined;
    readonly onProgress?: OnProgress | undefined;
  };

/** Above this a request carries no file: the form around it takes a little of the 4.7 MB. */
const MOST_IN_REQUEST = 4_500_000;
const ANY_TYPE = "application/octet-stream";

/**
 * Adds a file to a knowledge base: a small one in the request, one of more than 4.5 MB by way of the bucket.
 *
 * @returns the content, which is processed from here on: `getContentStatus` shows when it can be found
 * @throws PlatformError when the platform refuses it; UploadError when the bucket does, or cannot be reached
 */
export async function uploadContent(
  client: ClientOptions,
  file: Blob,
  { signal, headers, onProgress, filename, knowledge_id, db_id, ...described }: UploadOptions = {},
): Promise<Content> {
  const call = { signal, headers };
  const query = { knowledge_id, db_id };
  const name = filename ?? (file instanceof File ? file.name : "file");
  // The generated types declare what the operations answer.
  const add = async (body: Form): Promise<Content> =>
    (
      await send(client, "addContent", { query, body: { ...described, ...body } }, call)
    ).json() as Promise<Content>;
  const total = file.size;
  if (total <= MOST_IN_REQUEST) {
    onProgress?.({ sent: 0, total });
    const added = await add({ file: new File([file], name, { type: file.type }) });
    onProgress?.({ sent: total, total });
    return added;
  }
  const body = { filename: name, mime_type: file.type || ANY_TYPE, size: total };
  const response = await send(client, "createUploadUrl", { query, body }, call);
  const { upload_id, ...address } = (await response.json()) as Operations["createUploadUrl"]["answer"];
  // The same bytes under the same address: a second time changes nothing.
  await repeated(() => putFile({ ...address, file, onProgress, signal }), {
    retries: retriesOf(client),
    mayRepeat: (error) => error instanceof UploadError && (error.status ?? 503) === 503,
    signal,
  });
  return add({ upload_id });
}
