import { aZip } from "./sample-files.ts";

/** Documents as programs write them, with as little around their text as readers need. */

const relations = (rows: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `<Relationships>${Object.entries(rows)
    .map(
      ([id, [type, target]]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

/** A workbook with the XML of the rows of each of its sheets. @param texts that cells of type `s` name */
export function aWorkbook(
  sheets: Readonly<Record<string, string>>,
  texts: readonly string[] = [],
  styles = "<styleSheet/>",
): Uint8Array {
  const names = Object.keys(sheets);
  const rows = Object.fromEntries(
    names.map((_, i) => [`s${i}`, ["worksheet", `worksheets/sheet${i}.xml`] as const]),
  );
  const parts = Object.values(sheets).map((xml, i) => [
    `xl/worksheets/sheet${i}.xml`,
    `<worksheet><sheetData>${xml}</sheetData></worksheet>`,
  ]);
  return aZip({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${names.map((name, i) => `<sheet name="${name}" r:id="s${i}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations({
      ...rows,
      t: ["sharedStrings", "sharedStrings.xml"],
      y: ["styles", "/xl/styles.xml"],
    }),
    "xl/sharedStrings.xml": `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    "xl/styles.xml": styles,
    ...Object.fromEntries(parts),
  });
}

/** A presentation with a title and a line on each slide; the first has a note. */
export function aPresentation(
  slides: readonly (readonly [title: string, line: string])[],
  note: string,
): Uint8Array {
  const shape = (kind: string, text: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const slide = ([title, line]: readonly [string, string], i: number) => [
    [
      `ppt/slides/slide${i}.xml`,
      `<p:sld>${shape("title", title)}${shape("body", line)}${shape("sldNum", "9")}</p:sld>`,
    ],
  ];
  return aZip({
    "ppt/presentation.xml": `<p:presentation xmlns:r="r"><p:sldIdLst>${slides.map((_, i) => `<p:sldId r:id="r${i}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      Object.fromEntries(slides.map((_, i) => [`r${i}`, ["slide", `slides/slide${i}.xml`] as const])),
    ),
    "ppt/slides/_rels/slide0.xml.rels": relations({ n: ["notesSlide", "../notesSlides/note.xml"] }),
    "ppt/notesSlides/note.xml": `<p:notes>${shape("body", note)}</p:notes>`,
    ...Object.fromEntries(slides.flatMap(slide)),
  });
}

/** A book whose chapters are pages; its spine has them in the reverse of their order in the archive. */
export const aBook = (chapters: readonly string[]): Uint8Array =>
  aZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
    "OPS/book.opf": `<package><manifest>${chapters.map((_, i) => `<item id="c${i}" href="text/${i}%20c.xhtml"/>`).join("")}</manifest><spine>${chapters.map((_, i) => `<itemref idref="c${chapters.length - 1 - i}"/>`).join("")}</spine></package>`,
    ...Object.fromEntries(chapters.map((page, i) => [`OPS/text/${i} c.xhtml`, page])),
  });

/** An OpenDocument file. @param kind as in its media type: text, spreadsheet, presentation */
export const anOpenDocument = (kind: string, body: string): Uint8Array =>
  aZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<office:document-content><office:body>${body}</office:body></office:document-content>`,
  });

/** A mail with a text and attachments. */
export function aMail(
  text: string,
  attachments: Readonly<Record<string, readonly [type: string, bytes: Uint8Array]>>,
): Uint8Array {
  const parts = Object.entries(attachments).map(
    ([name, [type, bytes]]) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`,
  );
  return new Uint8Array(
    Buffer.from(
      [
        "From: Ana =?utf-8?B?TcO8bGxlcg==?= <ana@example.com>",
        "To: bo@example.com",
        "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= from the herd",
        "Date: Mon, 02 Mar 2026 09:15:00 +0000",
        "Message-ID: <1@example.com>",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${text}</p>\r\n`,
        ...parts,
        "--b--",
      ].join("\r\n"),
    ),
  );
}
