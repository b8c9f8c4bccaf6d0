import { relative, sep } from "node:path";

/** The path of a file from a folder, with `/` on every system: as records, digests and manifests name it. */
export const pathFrom = (folder: string, file: string): string => relative(folder, file).split(sep).join("/");
