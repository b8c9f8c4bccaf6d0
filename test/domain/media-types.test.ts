import { describe, expect, test } from "vitest";
import { mediaRoute } from "../../shared/domain/runs/media-types.ts";

describe("an upload is routed", () => {
  test.each([
    ["image/png", "x", "images", "image/png"],
    ["image/heif", "x.heif", "images", "image/heif"],
    ["audio/x.m4a", "a.m4a", undefined, undefined],
    ["audio/mp4", "a.mp4", "audios", "audio/mp4"],
    ["video/3gpp", "v", "videos", "video/3gpp"],
    ["application/pdf", "a", "files", "application/pdf"],
    ["text/x-python", "a.py", "files", "text/x-python"],
    ["TEXT/CSV; charset=utf-8", "a", "files", "text/csv"],
    ["text/plain", "notes", "files", "text/plain"],
  ])("%s (%s) by its content type", (type, name, kind, mime_type) => {
    expect(mediaRoute(type, name)).toEqual(kind && expect.objectContaining({ kind, mime_type }));
  });

  test.each([
    ["", "a.PNG", "images", "image/png"],
    ["application/octet-stream", "a.mov", "videos", "video/quicktime"],
    ["application/octet-stream", "a.b.docx", "files", expect.stringContaining("wordprocessingml")],
    ["text/plain", "a.pdf", "files", "application/pdf"],
    ["text/plain", "a.md", "files", "text/markdown"],
  ])("%j (%s) by its file name, where the type says nothing", (type, name, kind, mime_type) => {
    expect(mediaRoute(type, name)).toMatchObject({ kind, mime_type });
  });

  test.each([
    ["application/x-msdownload", "a.png"],
    ["application/octet-stream", "a.exe"],
    ["application/octet-stream", "png"],
    ["", "a.constructor"],
    ["constructor/x", "a"],
    ["image/svg+xml", "a.svg"],
  ])("nowhere when it is %s (%s)", (type, name) => {
    expect(mediaRoute(type, name)).toBeUndefined();
  });
});
