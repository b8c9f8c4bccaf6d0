import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  ListObjectVersionsCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { inBatches } from "../../shared/stores/in-batches.ts";
import { changeToInstant, newestFirst, type ObjectEntry } from "./object-versions.ts";
import { STATE_PREFIX } from "./recovery-state.ts";

/** Objects that are changed beside each other. */
const AT_A_TIME = 16;
/** Uploads of clients expire in a day, and the state of a recovery is not part of what is recovered. */
const leftAlone = ["uploads/", STATE_PREFIX];

/** What was done to a bucket, in objects. */
export type RestoredObjects = {
  readonly seen: number;
  readonly broughtBack: number;
  readonly removed: number;
};

/** Whether a bucket keeps versions. */
export async function keepsVersions(s3: S3Client, Bucket: string): Promise<boolean> {
  const { Status } = await s3.send(new GetBucketVersioningCommand({ Bucket }));
  return Status === "Enabled";
}

/**
 * Makes a versioned bucket hold what it held at an instant. What did not exist then is deleted, and is a version of its
 * history. A second pass finds nothing to do.
 */
export async function restoreObjects(
  s3: S3Client,
  bucket: string,
  instant: Date,
  progress: (restored: RestoredObjects) => void = () => {},
): Promise<RestoredObjects> {
  const sums = { seen: 0, broughtBack: 0, removed: 0 };
  let waiting: History[] = [];
  const apply = async (): Promise<void> => {
    await inBatches(
      waiting,
      1,
      async ([one]) => one && restoreOne(s3, bucket, one, instant, sums),
      AT_A_TIME,
    );
    waiting = [];
    progress({ ...sums });
  };
  for await (const one of histories(s3, bucket)) {
    if (leftAlone.some((prefix) => one.key.startsWith(prefix))) continue;
    waiting.push(one);
    if (waiting.length >= 1_000) await apply();
  }
  await apply();
  return sums;
}

type History = { readonly key: string; readonly entries: readonly ObjectEntry[] };
type Sums = { -readonly [name in keyof RestoredObjects]: RestoredObjects[name] };

async function restoreOne(
  s3: S3Client,
  Bucket: string,
  { key: Key, entries }: History,
  instant: Date,
  sums: Sums,
): Promise<void> {
  const change = changeToInstant(entries, instant);
  sums.seen += 1;
  switch (change.kind) {
    case "undelete":
      // The oldest first: as long as a marker is left, the object is as deleted as before.
      for (const VersionId of change.markers.toReversed())
        await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
      sums.broughtBack += 1;
      return;
    case "copy": {
      const source = [Bucket, ...Key.split("/")].map(encodeURIComponent).join("/");
      const CopySource = `${source}?versionId=${encodeURIComponent(change.version)}`;
      await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
      sums.broughtBack += 1;
      return;
    }
    case "remove":
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      sums.removed += 1;
  }
}

/** The histories of all keys, one after the other: a history may begin on one page and end on a later one. */
async function* histories(s3: S3Client, Bucket: string): AsyncGenerator<History> {
  let from: { readonly KeyMarker?: string | undefined; readonly VersionIdMarker?: string | undefined } = {};
  let open: { key: string; entries: ObjectEntry[] } | undefined;
  for (;;) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket, ...from }));
    const entries = [
      ...(page.Versions ?? []).map((one) => ({ ...one, isMarker: false })),
      ...(page.DeleteMarkers ?? []).map((one) => ({ ...one, ETag: undefined, isMarker: true })),
    ];
    const byKey = Map.groupBy(entries, ({ Key = "" }) => Key);
    for (const [key, ofKey] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (open && open.key !== key) yield { ...open, entries: newestFirst(open.entries) };
      if (open?.key !== key) open = { key, entries: [] };
      for (const {
        VersionId: id = "",
        LastModified: at = new Date(0),
        ETag: etag,
        isMarker,
        IsLatest,
      } of ofKey)
        open.entries.push({ id, at, etag, isMarker, isLatest: IsLatest === true });
    }
    if (!page.IsTruncated) break;
    from = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
  if (open) yield { ...open, entries: newestFirst(open.entries) };
}
