import { type FileOfRun, type NamedFile, namedFiles, tooLargeText } from "./output-files.ts";

type Json = Readonly<Record<string, unknown>>;

/** The files of a run's answer in the envelope dialect. @source docs/interface/a2a.md 4.2 */
export const envelopeArtifacts = (files: readonly FileOfRun[]): Json[] =>
  namedFiles(files).map((file) => ({ artifactId: file.id, name: file.name, parts: [partOf(file)] }));

function partOf(file: NamedFile): Json {
  const { medium, bytes, mime_type: mimeType } = file;
  if (file.isTooLarge) return { kind: "text", text: tooLargeText(file) };
  return {
    kind: "file",
    file: {
      ...(bytes ? { bytes: Buffer.from(bytes).toString("base64") } : { uri: medium.url }),
      mimeType,
      ...(medium.filename !== undefined && { name: medium.filename }),
    },
  };
}
