import { expect, test } from "vitest";
import { fileArtifacts } from "../../shared/a2a/output-files.ts";

test("a file that no event may hold is named in its artifact", () => {
  const bytes = new Uint8Array(3_000_001);
  const video = { id: "1", mime_type: "video/mp4", filename: "long.mp4" };
  const link = { id: "2", url: "https://pictures.example/a.png" };
  const artifacts = fileArtifacts("run-1", [
    { kind: "videos", medium: video, bytes },
    { kind: "images", medium: link },
  ]);
  expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(["run-1:video-0", "run-1:image-0"]);
  expect(artifacts[0]?.parts[0]?.content).toEqual({
    $case: "text",
    value: expect.stringContaining("long.mp4 (video/mp4, 3000001 bytes) is too large"),
  });
  expect(artifacts[1]?.parts[0]).toMatchObject({
    content: { $case: "url", value: "https://pictures.example/a.png" },
    mediaType: "image/jpeg",
  });
});
